extension EverydayWords {
  /// Those of Romance languages.
  static let romance: [(String, String)] = [
    (
      "fr",
      """
      bonjour bonsoir merci beaucoup salut cher chère madame monsieur cordialement demain aujourd'hui hier lundi \
      mardi mercredi jeudi vendredi samedi dimanche lettre tout monde acheter lait pain c'est j'ai facture oui je \
      suis êtes sommes mon mes ton tes notre nos vos leurs ici où quand pourquoi comment très bien aussi toujours \
      maintenant deux trois quatre cinq sept huit neuf heures heure maison semaine mois année faire aller veux peux \
      peut tu on ils elles moi toi lui eux cet ces celui celle ça cela ses quel quelle quels quelles chaque aucun \
      aucune toute tous toutes autre autres même avez avons avait était étaient serait sera fait faites fais font \
      dit dire voir savoir sait pouvoir pouvez pouvons devoir dois doit devez vouloir voulez voudrais prendre mettre \
      donner parler écrire lire entendre trouver trouvé perdu perdue chercher attendre penser comprendre besoin \
      coûte commence commencer finit finir ouvrir fermer fermez ferme fermé fermée ouvert ouverte porte portes \
      entrée sortie secours poussez tirez interdit interdite défense fumer entrer stationner stationnement attention \
      danger chien méchant prochain prochaine arrêt gare centrale quai voie gauche droite descente parking privé \
      accès toilettes libre occupé objet ci-joint pièce jointe réponse courrier demande concernant confirmer \
      confirmation rendez-vous informer désolé malheureusement excusez contrat résiliation adresse téléphone \
      signature copie veuillez agréer salutations distinguées remercie remercions sentiments numéro montant somme \
      total taxe paiement payer réglé règlement virement échéance date client commande livraison prix compte banque \
      jours quantité reçu article manger boire eau café thé enfant enfants mère père ami amie amis chat cuisine \
      chambre école cours leçon professeur travail voiture rue ville temps pluie pleut soleil froid chaud bon bonne \
      mauvais nouveau nouvelle vieux grand grande petit petite vient venez va allez vais vendre apporter envoyer \
      envoyé oublier oubliez appeler appelle clé clef livre argent amour aime heureux anniversaire joyeux \
      félicitations bienvenue aide aider médecin hôpital médicament janvier février mars avril mai juin juillet août \
      septembre octobre novembre décembre premier première dernier dernière demi quart minutes jour années quelque \
      chose rien personne peu trop moins avant après depuis jusque jusqu'à pendant sans contre sous entre chez vers \
      dès donc car parce si d'un d'une l'on qu'il n'est s'il l'eau d'accord peut-être rouge bleu vert blanc noir \
      dîner déjeuner petit-déjeuner fenêtre jardin table bureau prêt retour soir matin nuit
      """
    ),
    (
      "es",
      """
      hola buenos buenas días gracias querido querida saludos mañana ayer hoy lunes martes miércoles jueves viernes \
      sábado domingo usted está cómo leche factura señor señora adiós comprar yo ella nosotros ustedes soy eres \
      somos estoy estás estamos están tengo tiene tenemos quiero quiere puede aquí allí dónde cuándo qué quién bien \
      ahora siempre nunca dos tres cuatro cinco seis siete ocho nueve diez hora horas tren sale llega casa semana \
      año trabajo nuestro nuestra tú él ellos ellas me te nos les mi tu mis tus suyo eso esa ese estos estas aquel \
      aquella cada ningún ninguna toda todo todos todas otro otra otros mismo había hay haber sido ser será era eran \
      hacer hace hacen hecho dice decir ver saber sabe poder podemos pueden podría deber debe debemos quisiera poner \
      dar hablar escribir leer oír encontrar encontrado perdido perdida buscar esperar espere pensar entender \
      necesito necesita cuesta comienza empieza termina abrir cerrar cierre cerrado cerrada abierto abierta puerta \
      puertas entrada salida emergencia empuje tire prohibido prohibida fumar pasar aparcar atención peligro cuidado \
      perro próxima próximo parada estación central andén vía izquierda derecha aparcamiento privado acceso aseos \
      servicios libre ocupado asunto adjunto adjunta respuesta carta solicitud referente confirmar confirmación cita \
      informar informamos lamentablemente siento perdón contrato dirección teléfono firma copia estimado estimada \
      estimados atentamente cordialmente muchas rogamos ruego agradecemos número importe suma total impuesto iva \
      pago pagar pague pagado transferencia vencimiento fecha cliente pedido entrega precio cuenta banco cantidad \
      recibo artículo comer beber agua café té niño niña niños madre padre amigo amiga amigos gato cocina habitación \
      escuela clase clases profesor coche calle ciudad tiempo lluvia llueve sol frío calor bueno buena malo nuevo \
      nueva viejo grande pequeño pequeña viene ven va vamos voy ir vender traer enviar enviado olvidar olvides \
      llamar llamo llave llaves libro dinero barato caro amor feliz cumpleaños felicidades bienvenido bienvenidos \
      ayuda ayudar médico hospital medicina enero febrero marzo abril mayo junio julio agosto septiembre octubre \
      noviembre diciembre primero primera último última media cuarto minutos mes meses años algo nada alguien nadie \
      poco mucho mucha menos antes después desde hasta durante contra bajo hacia según ni si pues aunque tampoco \
      rojo azul verde blanco negro cena almuerzo desayuno ventana jardín mesa oficina listo noche tarde favor fin
      """
    ),
    (
      "it",
      """
      ciao buongiorno buonasera grazie prego caro cara saluti domani ieri oggi lunedì martedì mercoledì giovedì \
      venerdì sabato domenica ci vediamo latte pane fattura signor signora arrivederci comprare perché stazione io \
      lui lei noi voi loro siamo siete hanno abbiamo ho hai mio mia tuo tua nostro nostra qui qua dove quando chi \
      cosa bene adesso ora sempre mai due tre quattro cinque sei sette otto nove dieci ore treno parte arriva casa \
      settimana mese anno lavoro andare alle agli quello così tu egli essa mi ti vi me te sua suo suoi miei nostri \
      questa questi quella quelli ogni nessuno nessuna tutto tutta tutti tutte altro altra altri stesso stessa era \
      erano sarà sia avere aveva fare fa fanno fatto dire dice vedere sapere so potere può possiamo possono potrebbe \
      dovere deve devo dobbiamo vorrei vuole mettere dare parlare scrivere leggere sentire trovare trovato perso \
      persa cercare aspettare pensare capire bisogno serve costa comincia inizia finisce aprire chiudere chiuda \
      chiudi chiuso chiusa aperto aperta porta porte entrata ingresso uscita emergenza spingere tirare vietato \
      vietata fumare entrare parcheggiare sosta attenzione pericolo cane prossima prossimo fermata centrale binario \
      sinistra destra parcheggio privato accesso bagno libero occupato oggetto allegato allegata risposta lettera \
      richiesta riguardo confermare conferma appuntamento informare informiamo purtroppo scusi scusa contratto \
      disdetta indirizzo telefono firma copia gentile gentili egregio distinti cordiali cordialmente ringraziamo \
      ringrazio preghiamo numero importo somma totale imposta iva pagamento pagare paghi pagato bonifico scadenza \
      data cliente ordine consegna prezzo conto banca giorni giorno entro quantità ricevuta articolo mangiare bere \
      acqua caffè tè bambino bambina bambini madre padre mamma amico amica amici gatto cucina camera scuola lezione \
      lezioni insegnante macchina via strada città tempo pioggia piove sole freddo caldo buono buona cattivo nuovo \
      nuova vecchio grande piccolo piccola viene vieni va andiamo vado vendere portare mandare inviare spedito \
      dimenticare chiamare chiamo chiave chiavi libro soldi economico amore felice compleanno auguri congratulazioni \
      benvenuto benvenuti aiuto aiutare medico ospedale medicina gennaio febbraio marzo aprile maggio giugno luglio \
      agosto settembre ottobre novembre dicembre primo prima ultimo ultima mezza mezzo quarto minuti mesi anni \
      qualcosa niente nulla qualcuno poco molto molta meno dopo fino durante senza contro sotto tra fra verso dai \
      dalla dalle degli sul sulla nei nelle ai allo un' l'anno c'è dell'anno d'accordo riunione rosso blu verde \
      bianco nero cena pranzo colazione finestra giardino tavolo ufficio pronto notte sera mattina favore
      """
    ),
    (
      "pt",
      """
      olá bom boa obrigado obrigada prezado abraço amanhã ontem hoje segunda-feira terça quarta quinta sexta você \
      leite pão fatura senhor senhora comprar tudo bem dia eu ela nós vocês sou somos estou está estamos tenho tem \
      temos quero quer pode aqui ali onde quem agora sempre nunca dois duas três quatro cinco seis sete oito nove \
      dez hora horas comboio trem sai chega parte casa semana mês ano trabalho meu minha nosso nossa tu eles elas me \
      te lhe lhes meus minhas teu seus suas este esta estes isto esse essa aquele aquela cada nenhum nenhuma toda \
      todo todos todas outro outra outros mesmo mesma há houve ser era eram será seria fazer faz fazem feito dizer \
      diz ver saber sabe poder podemos podem poderia dever deve devemos gostaria pôr dar falar escrever ler ouvir \
      encontrar encontrado perdido perdida procurar esperar espere pensar entender preciso precisa custa começa \
      termina abrir fechar feche fechado fechada aberto aberta porta portas entrada saída emergência empurre puxe \
      proibido proibida fumar passar estacionar estacionamento atenção perigo cuidado cão cachorro próxima próximo \
      paragem parada estação central linha plataforma esquerda direita privado acesso banheiro sanitários livre \
      ocupado assunto anexo resposta carta pedido referente confirmar confirmação consulta reunião informar \
      informamos infelizmente desculpe contrato endereço morada telefone assinatura cópia caro cara prezados \
      excelentíssimo atenciosamente cumprimentos agradecemos agradeço solicitamos número valor montante soma total \
      imposto pagamento pagar pague pago transferência vencimento data cliente encomenda entrega preço conta banco \
      dias quantidade recibo artigo comer beber água café chá criança crianças mãe pai amigo amiga amigos gato \
      cozinha quarto escola aula aulas professor carro rua cidade tempo chuva chove sol frio calor quente boas mau \
      novo nova velho grande pequeno pequena vem venha vai vamos vou ir vender trazer enviar enviado esquecer \
      esqueça ligar chave chaves livro dinheiro barato amor feliz aniversário parabéns bem-vindo bem-vindos ajuda \
      ajudar médico hospital remédio janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro \
      dezembro primeiro primeira último última meia minutos meses anos algo nada alguém ninguém pouco muita menos \
      antes depois desde durante sem contra sob entre porque pois então num numa à aos às pelos pelas nesta neste \
      desta deste dele dela vermelho azul verde branco preto jantar almoço janela jardim mesa escritório pronto \
      noite tarde manhã favor fim
      """
    ),
    (
      "ro",
      """
      bună ziua dimineața seara mulțumesc rog salutări mâine ieri astăzi luni marți miercuri joi vineri sâmbătă \
      duminică lapte pâine factură stimate eu tu el ea noi voi ei ele mie meu mea tău nostru noastră vostru acest \
      acesta aceasta aceste fiecare nimic tot toate toți alt altă ești suntem sunteți era erau va vor avea are am \
      avem poate pot trebuie vreau vrea face spune ști știu scrie citi auzi găsi găsit pierdut căuta aștepta aștept \
      gândi înțeleg costă începe termină deschide închide închideți închis deschis ușa uși intrare intrarea ieșire \
      urgență împingeți trageți interzis interzisă fumatul parcarea accesul atenție pericol câine următoarea stație \
      oprire gara gară centrală linia peronul stânga dreapta privat toaletă liber ocupat subiect anexă anexat \
      răspuns scrisoare cerere privind confirmare confirmați întâlnire informăm regret scuze contract adresa telefon \
      semnătura copie stimată domnule doamnă respect mulțumim rugăm vă ne numărul suma totală taxa tva plata plătit \
      plăti termen scadență data client comandă livrare preț cont bancă zile cantitate chitanță mânca bea apă cafea \
      ceai copil copii copiii mama tata prieten pisică bucătărie cameră școală școala profesor mașina tren trenul \
      autobuz strada oraș vremea plouă soare frig cald bun rău nou nouă vechi mare mic vine pleacă merge merg \
      cumpăra vinde trimite trimis uita suna cheie cheile carte bani ieftin scump dragoste iubesc fericit naștere \
      felicitări bine venit ajutor medic spital ianuarie februarie martie aprilie iunie iulie august septembrie \
      octombrie noiembrie decembrie primul ultimul jumătate ora ore minute an ani lună timp ceva cine unde când ce \
      cum unu doi trei patru cinci șase șapte opt zece noapte casa muncă fereastra masa
      """
    ),
    (
      "ca",
      """
      jo tu ell ella nosaltres vosaltres ells em et ens us meu meva teu nostre nostra aquests cada cap tot tota tots \
      altre altra sóc ets som era eren serà tenir tinc té tenim haver hi poder puc pot podem caldre cal vull vol fer \
      fa dir saber sap escriure llegir trobar trobat perdut buscar esperar pensar entendre costa comença acaba obrir \
      tancar tanqueu tancat tancada obert oberta porta portes entrada sortida emergència empenyeu estireu prohibit \
      fumar passar aparcar atenció perill gos pròxima propera parada estació via esquerra dreta privat accés lavabo \
      lliure ocupat assumpte adjunt resposta carta sol·licitud confirmar cita informem malauradament perdó contracte \
      adreça telèfon signatura còpia benvolgut benvolguda atentament gràcies moltes preguem número import total \
      impost pagament pagar pagueu venciment data client comanda lliurament preu compte dies quantitat rebut menjar \
      beure aigua cafè te nen nens mare pare amic gat cuina habitació escola classe professor cotxe tren carrer \
      ciutat temps pluja plou sol fred calor bo bona dolent nou nova vell gran petit ve anar comprar vendre enviar \
      oblidar trucar clau claus llibre diners barat car amor feliç aniversari felicitats benvinguts ajuda metge \
      hospital gener febrer març abril maig juny juliol agost setembre octubre novembre desembre primer últim mitja \
      hora hores minuts any anys mes alguna cosa res qui on quan què dos tres quatre cinc sis set vuit deu avui demà \
      ahir dilluns dimarts dimecres dijous divendres dissabte diumenge hola adéu bon dia nit si plau casa feina
      """
    ),
  ]
}
