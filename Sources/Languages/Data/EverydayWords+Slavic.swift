extension EverydayWords {
  /// Those of Slavic and Baltic languages.
  static let slavic: [(String, String)] = [
    (
      "pl",
      """
      cześć dzień dobry wieczór dziękuję bardzo proszę pozdrawiam jutro wczoraj dzisiaj poniedziałek wtorek środa \
      czwartek piątek sobota niedziela mleko chleb faktura pan pani kupić szanowny ona mój moja jestem jesteś \
      jesteśmy mam masz mamy tutaj tam gdzie kiedy kto dlaczego zawsze nigdy teraz dwa trzy cztery pięć sześć siedem \
      osiem dziewięć dziesięć godzinie pociąg dom tydzień miesiąc rok praca chcę mogę ja ty on my wy oni mnie mi mu \
      ją nas nam was wam moje twój swoje nasz nasza nasze wasz ten ta te tej tych każdy żaden wszystko wszyscy inny \
      inna inne sam byłem była było byli będzie będą mieć miał ma mają robić robi zrobić mówić mówi widzieć wiedzieć \
      wiem wie można móc możemy musi muszę trzeba należy powinien chcieć chce chciałbym dać daj pisać czytać słyszeć \
      znaleźć znaleziono zgubiono szukać czekać myśleć rozumiem potrzebuję kosztuje zaczyna kończy otworzyć zamknąć \
      zamknij zamykać zamknięte otwarte drzwi wejście wyjście ewakuacyjne pchać ciągnąć zakaz palenia wstępu \
      parkowania uwaga niebezpieczeństwo ostrożnie zły pies następny następna przystanek dworzec centralny stacja \
      peron tor lewo prawo parking prywatny dostęp toaleta wolne zajęte dotyczy załączeniu załącznik odpowiedź \
      odpowiedzi list prośba sprawie potwierdzić potwierdzenie spotkanie wizyta informujemy niestety przepraszam \
      umowa wypowiedzenie adres telefon podpis kopia szanowni szanowna państwo poważaniem serdecznie dziękujemy \
      prosimy numer kwota suma razem podatek vat zapłata zapłacić płatność przelew termin data klient zamówienie \
      dostawa cena konto bank dni ilość paragon sztuk jeść pić woda wody kawa herbata dziecko dzieci matka mama \
      ojciec tata przyjaciel kot kuchnia pokój szkoła szkole lekcja lekcji nauczyciel samochód ulica miasto mieście \
      pogoda deszcz pada słońce zimno ciepło dobra źle nowy nowa stary duży duża mały mała idzie iść idę jechać \
      przyjść sprzedać przynieść wysłać wysłano zapomnij pamiętać zadzwonić dzwonić klucz klucze książka pieniądze \
      tani drogi miłość kocham szczęśliwy urodziny urodzin wszystkiego najlepszego gratulacje witamy pomoc pomóc \
      lekarz szpital lek stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada \
      grudnia pierwszy druga trzeci ostatni pół kwadrans godzina godziny minut lata lat czas coś nic ktoś nikt mało \
      dużo więcej mniej potem bez pod między nad obok dlatego jednak tak znowu czerwony niebieski zielony biały \
      czarny obiad kolacja śniadanie okno ogród stół biuro gotowe rano wieczorem noc
      """
    ),
    (
      "cs",
      """
      ahoj dobrý den večer děkuji prosím pozdravem zítra včera dnes pondělí úterý středa čtvrtek pátek sobota neděle \
      mléko chléb faktura pane paní koupit vám vážený já ty my vy oni mě mi nás vás můj moje tvůj naše váš tento \
      tato tyto každý žádný všechno jiný jsi jsme jste byla byli budeme má mám máme mít může musí chci chce dělat \
      říci vědět vím psát číst slyšet najít nalezeno ztraceno hledat čekat myslet rozumím potřebuji stojí začíná \
      končí otevřít zavřít zavírejte zavřeno otevřeno dveře vchod vstup východ výstup tam sem zákaz zakázáno kouření \
      kouřit parkování pozor nebezpečí pes příští zastávka nádraží hlavní stanice kolej nástupiště vlevo vpravo \
      soukromý přístup toalety volno obsazeno věc příloha příloze odpověď dopis žádost potvrzení schůzka bohužel \
      promiňte smlouva výpověď adresa telefon podpis kopie vážená úctou děkujeme prosíme číslo částka celkem daň dph \
      platba zaplatit zaplaťte převod splatnost datum zákazník objednávka dodávka cena účet dnů množství účtenka \
      jíst pít voda káva čaj dítě děti matka otec přítel kočka kuchyně pokoj škola školy učitel auto vlak autobus \
      ulice město počasí prší slunce zima teplo nový nová starý velký malý přijde jít jdu prodat poslat zapomeňte \
      zavolat klíč klíče kniha peníze levný drahý láska miluji šťastný narozeninám narozeniny nejlepší vítejte pomoc \
      lékař nemocnice ledna února března dubna května června července srpna září října listopadu prosince první \
      poslední půl hodin hodiny minut rok roku čas něco nic kdo kde kdy proč dobré ráno dobrou noc jeden dva tři \
      čtyři pět šest sedm osm devět deset
      """
    ),
    (
      "sk",
      """
      ahoj dobrý deň večer ďakujem prosím pozdravom zajtra včera dnes pondelok utorok streda štvrtok piatok sobota \
      nedeľa mlieko chlieb faktúra kúpiť vážený ja ty my vy oni ma mi nás vás môj moja tvoj náš tento táto každý \
      žiadny všetko iný sme ste bola boli budeme má mám máme môže musí chcem chce robiť povedať vedieť viem písať \
      čítať nájsť nájdené stratené hľadať čakať myslieť rozumiem potrebujem stojí začína končí otvoriť zatvoriť \
      zatvorené otvorené dvere vchod vstup východ zákaz zakázané fajčiť fajčenie parkovanie pozor nebezpečenstvo pes \
      ďalšia nasledujúca zastávka stanica hlavná vľavo vpravo súkromný toalety voľné obsadené vec príloha odpoveď \
      list žiadosť potvrdenie stretnutie bohužiaľ prepáčte zmluva výpoveď adresa telefón podpis vážená úctou \
      ďakujeme prosíme číslo suma spolu daň platba zaplatiť splatnosť dátum zákazník objednávka cena účet dní \
      množstvo jesť piť voda káva čaj dieťa deti matka otec priateľ mačka kuchyňa izba škola učiteľ vlak ulica mesto \
      počasie prší slnko zima teplo nový starý veľký malý príde ísť poslať zabudnite kľúč kľúče kniha peniaze lacný \
      drahý láska milujem šťastný narodeninám najlepšie vitajte pomoc lekár nemocnica prvý posledný hodín rok čas \
      niečo nič kto kde kedy prečo dobré ráno jeden dva tri štyri päť šesť sedem osem deväť desať
      """
    ),
    (
      "hr",
      """
      ja ti mi vi oni mene nas vas moj moja tvoj naš vaš ovaj ova ovo svaki sve drugi sam smo ste bio bila bilo biti \
      imam ima može mora trebam želim hoću raditi reći znam pisati čitati naći izgubljeno čekati razumijem počinje \
      završava otvoriti zatvoriti zatvoreno otvoreno vrata ulaz izlaz guraj vuci zabranjeno pušenje pušiti \
      parkiranje pozor opasnost pas sljedeća stanica postaja kolodvor glavni lijevo desno privatno slobodno zauzeto \
      predmet prilog odgovor pismo zahtjev potvrda sastanak nažalost oprostite ugovor otkaz adresa telefon potpis \
      poštovani poštovana poštovanjem hvala molim molimo broj račun računa iznos ukupno porez plaćanje platiti rok \
      datum kupac narudžba dostava cijena dana količina jesti piti voda kava čaj dijete djeca majka otac prijatelj \
      mačka kuhinja soba škola učitelj vlak autobus ulica grad vrijeme kiša pada sunce hladno toplo dobro dobar \
      dobra loše novi stari veliki mali dolazi idem kupiti poslati zaboravite ključ knjiga novac jeftino skupo \
      ljubav volim sretan rođendan čestitamo dobrodošli pomoć liječnik bolnica prvi zadnji sati godina godine nešto \
      ništa tko gdje kada zašto dan jutro večer laku noć danas sutra jučer ponedjeljak utorak srijeda četvrtak petak \
      subota nedjelja bok kruh mlijeko jedan dva tri četiri pet šest sedam osam devet deset
      """
    ),
    (
      "sl",
      """
      jaz ti mi vi oni nas vas moj moja tvoj naš vaš ta to vsak vse drugi sem smo ste bil bila bilo biti imam ima \
      lahko mora moram želim hočem delati reči vem pisati brati najti izgubljeno čakati razumem začne konča odpreti \
      zapreti zaprto odprto vrata vhod izhod rini vleci prepovedano kajenje kaditi parkiranje pozor nevarnost pes \
      naslednja postaja glavna levo desno zasebno prosto zasedeno zadeva priloga odgovor pismo zahteva potrdilo \
      sestanek žal oprostite pogodba odpoved naslov telefon podpis spoštovani spoštovana spoštovanjem hvala prosim \
      prosimo številka račun znesek skupaj davek plačilo plačati rok datum kupec naročilo dostava cena dni količina \
      jesti piti voda kava čaj otrok otroci mati oče prijatelj mačka kuhinja soba šola učitelj vlak avtobus ulica \
      mesto vreme dež dežuje sonce mrzlo toplo dobro dober dobra slabo novi stari velik majhen pride grem kupiti \
      poslati pozabite ključ knjiga denar poceni drago ljubezen ljubim srečen rojstni čestitamo dobrodošli pomoč \
      zdravnik bolnišnica prvi zadnji ura ure leto leta nekaj nič kdo kje kdaj zakaj dan jutro večer noč danes jutri \
      včeraj ponedeljek torek sreda četrtek petek sobota nedelja živjo kruh mleko ena dva tri štiri pet šest sedem \
      osem devet deset
      """
    ),
    (
      "ru",
      """
      доброе утро вечер спасибо привет пожалуйста здравствуйте сегодня вчера что это как или чтобы только нет будет \
      я ты мы вы он она они меня мне нас нам вас вам мой моя мои твой наш наша ваш ваша этот эта эти того все всё \
      каждый другой не на в и с по для из за до от у о об есть был была было были буду будут может можно нужно надо \
      хочу хотите делать сделать говорить знаю знать писать читать найти найдено потеряно искать ждать ждите думать \
      понимаю стоит начинается заканчивается открыть закрыть закрывайте закройте закрыто открыто дверь двери вход \
      выход посторонним воспрещен запасный запрещено курить парковка внимание осторожно опасно собака злая следующая \
      остановка станция вокзал центральный платформа путь налево направо частная туалет свободно занято тема \
      приложение ответ письмо просьба подтверждение встреча сожалению извините договор адрес телефон подпись \
      уважаемый уважаемая уважаемые уважением благодарим благодарю большое просим номер счет счёт сумма итого налог \
      ндс оплата оплатить срок дата клиент заказ доставка цена банк дней количество чек пить вода кофе чай ребенок \
      дети мать мама отец папа друг кошка кухня комната школа школе учитель урок машина поезд автобус улица город \
      погода дождь солнце холодно тепло хорошо плохо новый новая старый большой маленький идет приходит иду купить \
      продать отправить забудьте позвонить ключ ключи книга деньги дешево дорого любовь люблю счастливый рождения \
      днем поздравляем добро пожаловать помощь помочь врач больница января февраля марта апреля мая июня июля \
      августа сентября октября ноября декабря первый последний половина час часов минут год года время что-то ничего \
      кто где когда почему один два три четыре пять шесть семь восемь девять десять понедельник вторник среда \
      четверг пятница суббота воскресенье хлеб молоко добрый день доброй ночи завтра очень дом работа
      """
    ),
    (
      "uk",
      """
      як що це дякую або від щоб ранку привіт ласка справи буде тільки вітаю добрий доброго вечора прошу сьогодні \
      вчора я ти ми ви він вона вони мене мені нас нам вас вам мій моя мої твій наш наша ваш ваша цей ця ці всі все \
      кожен інший не на в і й з по для із за до у про є був була було були буду будуть може можна треба потрібно \
      хочу робити зробити говорити знаю знати писати читати знайти знайдено загублено шукати чекати чекайте думати \
      розумію коштує починається закінчується відкрити зачиняйте зачиніть зачинено відчинено закрито двері вхід \
      вихід заборонено палити курити паркування увага обережно небезпечно собака злий наступна зупинка станція \
      вокзал центральний платформа колія ліворуч праворуч приватна туалет вільно зайнято тема додаток відповідь лист \
      прохання підтвердження зустріч жаль вибачте договір адреса телефон підпис шановний шановна шановні повагою \
      дякуємо щиро просимо номер рахунок сума разом податок пдв оплата сплатити термін дата клієнт замовлення \
      доставка ціна банк днів кількість чек їсти пити вода кава чай дитина діти мати мама батько тато друг кішка \
      кухня кімната школа школі вчитель урок машина поїзд потяг автобус вулиця місто погода дощ сонце холодно тепло \
      добре погано новий нова старий великий малий йде приходить купити продати надіслати забудьте зателефонувати \
      ключ ключі книга гроші дешево дорого кохання люблю щасливий народження днем вітаємо ласкаво допомога лікар \
      лікарня січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня перший останній \
      половина година годині хвилин рік року час щось нічого хто де коли чому один два три чотири п'ять шість сім \
      вісім дев'ять десять понеділок вівторок середа четвер п'ятниця субота неділя хліб молоко день доброї ночі \
      завтра дуже дім робота
      """
    ),
    (
      "lv",
      """
      es tu mēs jūs viņš viņa man tev mūsu jūsu mans šis šī katrs visi viss cits esmu esi esam esat bija būs var \
      varu vajag jābūt gribu zinu rakstīt lasīt atrast pazaudēts meklēt gaidīt saprotu maksā sākas beidzas atvērt \
      aizvērt slēgts atvērts durvis ieeja izeja grūst vilkt aizliegts smēķēt stāvvieta uzmanību bīstami suns nākamā \
      pietura stacija pa kreisi labi brīvs aizņemts pielikums atbilde vēstule lūgums apstiprinājums tikšanās diemžēl \
      atvainojiet līgums adrese tālrunis paraksts cienījamais cienījamā cieņu paldies lūdzu liels numurs rēķins \
      summa kopā nodoklis maksājums samaksāt termiņš datums klients pasūtījums cena konts dienas dienu daudzums ēst \
      dzert ūdens kafija tēja bērns bērni māte tēvs draugs kaķis virtuve istaba skola skolotājs mašīna vilciens \
      autobuss iela pilsēta laiks līst saule auksts silts labs slikts jauns vecs mazs nāk iet pirkt sūtīt aizmirst \
      atslēga grāmata nauda lēts dārgs mīlestība mīlu laimīgs dzimšanas apsveicu laipni lūdzam palīdzība ārsts \
      slimnīca pirmais pēdējais stunda gads kur kad kāpēc kā viens divi trīs četri pieci seši septiņi astoņi deviņi \
      desmit šodien rīt vakar pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena labdien labrīt \
      labvakar sveiki maize piens māja darbs
      """
    ),
    (
      "lt",
      """
      aš tu mes jūs jis ji man tau mūsų jūsų mano šis ši kiekvienas visi viskas kitas esu esi esame esate buvo bus \
      gali galiu reikia turi noriu žinau rašyti skaityti rasti rasta pamesta ieškoti laukti suprantu kainuoja \
      prasideda baigiasi atidaryti uždaryti uždaryta atidaryta durys įėjimas išėjimas stumti traukti draudžiama \
      rūkyti stovėti dėmesio pavojus atsargiai šuo kita stotelė stotis kairė dešinė laisva užimta priedas atsakymas \
      laiškas prašymas patvirtinimas susitikimas deja atsiprašau sutartis adresas telefonas parašas gerbiamas \
      gerbiama pagarbiai ačiū dėkojame prašome prašom numeris sąskaita faktūra suma viso mokestis mokėjimas mokėti \
      sumokėti terminas data klientas užsakymas kaina dienos dienų kiekis valgyti gerti vanduo kava arbata vaikas \
      vaikai motina tėvas draugas katė virtuvė kambarys mokykla mokytojas automobilis traukinys autobusas gatvė \
      miestas oras lyja saulė šalta šilta geras gera blogas naujas senas didelis mažas ateina eina pirkti siųsti \
      pamiršti raktas knyga pinigai pigu brangu meilė myliu laimingas gimimo diena sveikiname sveiki atvykę pagalba \
      gydytojas ligoninė pirmas paskutinis valanda metai kas kur kada kodėl vienas du trys keturi penki šeši septyni \
      aštuoni devyni dešimt šiandien rytoj vakar pirmadienis antradienis trečiadienis ketvirtadienis penktadienis \
      šeštadienis sekmadienis laba labas rytas vakaras duona pienas namas darbas
      """
    ),
  ]
}
