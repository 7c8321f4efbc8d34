/// Lines as they stand on signs, in letters, on invoices and in notes, of one to eleven words, by language. They were
/// written after the words that are known (`EverydayWords`), and none of these were added since for their sake: they
/// show how well the language of texts is told that nobody thought of.
enum ShortTexts {
  static let byLanguage: [(language: String, texts: [String])] = lists.map { language, list in
    (language, list.split(separator: "\n").map(String.init))
  }

  private static let lists: [(String, String)] = [
    (
      "en",
      """
      The bakery is shut on Mondays.
      Mind your head
      Wet paint
      Do not feed the ducks
      Your parcel was left with a neighbour.
      Beware of falling rocks
      Remittance advice for August
      I would be grateful for a quick reply.
      Keep off the grass
      Grandma's apple pie recipe
      Could somebody water the plants this weekend?
      Total including delivery: 48.20
      Lost: grey scarf with white stripes
      Yours truly, Margaret
      He fell asleep on the sofa.
      No trespassing
      Rooms to let
      Subject: renewal of your insurance policy
      Dogs must be kept on a lead
      They moved to Scotland twenty years ago.
      Toll road ahead
      Fresh eggs for sale
      Please ring the bell and wait
      We hope to hear from you shortly.
      Handle with care
      """
    ),
    (
      "de",
      """
      Der Bäcker hat montags zu.
      Frisch gestrichen
      Enten füttern nicht gestattet
      Ihr Paket liegt beim Nachbarn.
      Betreten der Baustelle auf eigene Gefahr
      Mahnung: offene Posten seit August
      Über eine baldige Rückmeldung würde ich mich freuen.
      Rasen nicht betreten
      Omas Rezept für Apfelkuchen
      Wer gießt am Wochenende die Blumen?
      Gesamtbetrag inklusive Versand
      Grauer Schal verloren
      Mit besten Wünschen, Margarete
      Er ist auf dem Sofa eingeschlafen.
      Zimmer zu vermieten
      Betreff: Verlängerung Ihrer Versicherung
      Hunde sind an der Leine zu führen
      Wegen Umbau geschlossen
      Vorsicht, bissiger Hund
      Kein Trinkwasser
      Bitte klingeln
      Wo hast du den Hammer hingelegt?
      Schönes Wochenende!
      Ausfahrt freihalten
      Die Suppe ist versalzen.
      """
    ),
    (
      "fr",
      """
      La boulangerie est fermée le lundi.
      Peinture fraîche
      Ne pas nourrir les canards
      Votre colis est chez le voisin.
      Chute de pierres
      Rappel : facture impayée du mois d'août
      Dans l'attente de votre réponse
      Pelouse interdite
      Recette de tarte aux pommes de mamie
      Qui arrose les plantes ce week-end ?
      Total hors taxes
      Écharpe grise perdue
      Amicalement, Marguerite
      Il s'est endormi sur le canapé.
      Chambres à louer
      Objet : renouvellement de votre assurance
      Tenez vos chiens en laisse
      Fermé pour travaux
      Eau non potable
      Sonnez avant d'entrer
      Où as-tu posé le marteau ?
      Bon week-end !
      Sortie de garage
      La soupe est trop salée.
      Veuillez régler sous trente jours
      """
    ),
    (
      "es",
      """
      La panadería cierra los lunes.
      Recién pintado
      No dar de comer a los patos
      Su paquete está en casa del vecino.
      Peligro de desprendimientos
      Recordatorio de factura pendiente
      Quedo a la espera de su respuesta.
      No pisar el césped
      Receta de tarta de manzana de la abuela
      ¿Quién riega las plantas este fin de semana?
      Total con envío incluido
      Se ha perdido una bufanda gris
      Un abrazo, Margarita
      Se quedó dormido en el sofá.
      Se alquilan habitaciones
      Asunto: renovación del seguro
      Perros siempre atados
      Cerrado por obras
      Agua no potable
      Llame al timbre
      ¿Dónde dejaste el martillo?
      Buen fin de semana
      Salida de vehículos
      La sopa está salada.
      """
    ),
    (
      "it",
      """
      Il panificio è chiuso il lunedì.
      Vernice fresca
      Non dare da mangiare alle anatre
      Il suo pacco è dal vicino.
      Caduta massi
      Sollecito di pagamento, fattura di agosto
      In attesa di un vostro riscontro
      Non calpestare le aiuole
      Ricetta della torta di mele della nonna
      Chi annaffia le piante nel fine settimana?
      Totale spese di spedizione incluse
      Smarrita sciarpa grigia
      Un abbraccio, Margherita
      Si è addormentato sul divano.
      Affittasi camere
      Oggetto: rinnovo della polizza
      Cani al guinzaglio
      Chiuso per lavori
      Acqua non potabile
      Suonare il campanello
      Dove hai messo il martello?
      Buon fine settimana
      Passo carrabile
      La minestra è salata.
      """
    ),
    (
      "pt",
      """
      A padaria fecha às segundas.
      Tinta fresca
      Não alimente os patos
      A sua encomenda está com o vizinho.
      Queda de pedras
      Aviso de fatura em atraso
      Aguardo a sua resposta.
      Não pise a relva
      Receita de torta de maçã da avó
      Quem rega as plantas no fim de semana?
      Total com portes incluídos
      Perdeu-se um cachecol cinzento
      Um beijo, Margarida
      Ele adormeceu no sofá.
      Alugam-se quartos
      Assunto: renovação do seguro
      Cães pela trela
      Fechado para obras
      Água não potável
      Toque a campainha
      Onde puseste o martelo?
      Bom fim de semana
      A sopa está salgada.
      """
    ),
    (
      "nl",
      """
      De bakker is op maandag dicht.
      Pas geverfd
      Eendjes voeren verboden
      Uw pakket ligt bij de buren.
      Vallend gesteente
      Herinnering: openstaande factuur van augustus
      Ik zie uw reactie graag tegemoet.
      Niet op het gras lopen
      Oma's recept voor appeltaart
      Wie geeft dit weekend de planten water?
      Totaal inclusief verzendkosten
      Grijze sjaal verloren
      Veel liefs, Margriet
      Hij viel op de bank in slaap.
      Kamers te huur
      Betreft: verlenging van uw verzekering
      Honden aan de lijn
      Gesloten wegens verbouwing
      Geen drinkwater
      Eerst bellen
      Waar heb je de hamer gelaten?
      Fijn weekend!
      Uitrit vrijlaten
      De soep is te zout.
      """
    ),
    (
      "sv",
      """
      Bageriet har stängt på måndagar.
      Nymålat
      Mata inte änderna
      Ditt paket ligger hos grannen.
      Påminnelse om obetald faktura
      Jag ser fram emot ert svar.
      Beträd ej gräsmattan
      Mormors recept på äppelpaj
      Vem vattnar blommorna i helgen?
      Summa inklusive frakt
      Grå halsduk borttappad
      Han somnade i soffan.
      Rum att hyra
      Hundar ska hållas kopplade
      Stängt för ombyggnad
      Ej dricksvatten
      Var lade du hammaren?
      Trevlig helg!
      Soppan är för salt.
      """
    ),
    (
      "da",
      """
      Bageren har lukket om mandagen.
      Nymalet
      Ænderne må ikke fodres
      Din pakke ligger hos naboen.
      Rykker for ubetalt faktura
      Jeg ser frem til at høre fra Dem.
      Græsset må ikke betrædes
      Mormors opskrift på æblekage
      Hvem vander blomsterne i weekenden?
      Gråt halstørklæde tabt
      Han faldt i søvn på sofaen.
      Værelser til leje
      Hunde skal holdes i snor
      Lukket på grund af ombygning
      Hvor har du lagt hammeren?
      God weekend!
      Suppen er for salt.
      """
    ),
    (
      "nb",
      """
      Bakeren holder stengt på mandager.
      Nymalt
      Ikke mat endene
      Pakken din ligger hos naboen.
      Purring på ubetalt regning
      Jeg ser fram til å høre fra deg.
      Mormors oppskrift på eplekake
      Hvem vanner blomstene i helgen?
      Grått skjerf mistet
      Han sovnet på sofaen.
      Rom til leie
      Hunder skal holdes i bånd
      Stengt på grunn av ombygging
      Hvor la du hammeren?
      God helg!
      """
    ),
    (
      "pl",
      """
      Piekarnia jest w poniedziałki nieczynna.
      Świeżo malowane
      Nie karmić kaczek
      Paczka czeka u sąsiada.
      Wezwanie do zapłaty zaległej faktury
      Czekam na szybką odpowiedź.
      Nie deptać trawników
      Przepis babci na szarlotkę
      Kto podleje kwiaty w weekend?
      Razem z kosztem wysyłki
      Zgubiono szary szalik
      Zasnął na kanapie.
      Pokoje do wynajęcia
      Psy prowadzić na smyczy
      Zamknięte z powodu remontu
      Woda niezdatna do picia
      Gdzie położyłeś młotek?
      Miłego weekendu
      Zupa jest za słona.
      """
    ),
    (
      "ru",
      """
      Булочная закрыта по понедельникам.
      Окрашено
      По газонам не ходить
      Посылка у соседа.
      Жду вашего ответа.
      Куда ты положил молоток?
      Хороших выходных
      """
    ),
    (
      "uk",
      """
      Хліб уже скінчився.
      Пофарбовано
      Де ти поклав молоток?
      Собак тримати на повідку
      """
    ),
    (
      "cs",
      """
      Pekárna má v pondělí zavřeno.
      Čerstvě natřeno
      Nevstupujte na trávník
      Babiččin recept na jablečný koláč
      Usnul na pohovce.
      Kam jsi dal kladivo?
      """
    ),
    (
      "fi",
      """
      Leipomo on maanantaisin kiinni.
      Vastamaalattu
      Älä ruoki sorsia
      Isoäidin omenapiirakan ohje
      Hän nukahti sohvalle.
      Minne laitoit vasaran?
      """
    ),
    (
      "hu",
      """
      A pékség hétfőn zárva tart.
      Frissen mázolva
      Fűre lépni tilos
      Nagymama almás pitéje
      Hova tetted a kalapácsot?
      """
    ),
    (
      "ro",
      """
      Brutăria este închisă luni.
      Proaspăt vopsit
      Nu călcați iarba
      Unde ai pus ciocanul?
      """
    ),
    (
      "tr",
      """
      Fırın pazartesi günleri kapalıdır.
      Yeni boyandı
      Çimlere basmayınız
      Çekici nereye koydun?
      """
    ),
  ]
}
