extension EverydayWords {
  /// Those of Germanic languages.
  static let germanic: [(String, String)] = [
    (
      "en",
      """
      hello thanks thank please dear regards sincerely tomorrow today yesterday monday tuesday wednesday thursday \
      friday saturday sunday good morning evening night shopping list milk bread meeting see soon yours my our would \
      could should about than them these those who why where very much some just two three four five seven eight \
      nine o'clock leaves arrives i'm it's don't what's work week month year letter here a an i he us him me mine \
      her hers been being does did done having may might must shall into onto over under between after before during \
      since until while because so then also only even still already never always often again off out up down \
      through without against around now close door open closed entrance exit push pull keep clear clean order \
      danger warning caution mind gap smoking forbidden allowed next stop station central platform left right \
      parking private access toilet free emergency used fire attention enclosed attached answer reply request \
      regarding confirm appointment inform sorry unfortunately contract notice address phone sign signature copy \
      faithfully sir madam writing received further information invoice number amount total tax payment paid pay due \
      date customer delivery price account bank transfer days quantity receipt item items per each eat drink water \
      coffee tea child children mother father friend friends dog cat house kitchen room school lesson lessons \
      teacher car bus street town city weather rain raining sun cold warm bad new old big small begins starts ends \
      comes goes going come go need want buy sell bring send sent forget remember call write read look hear find \
      found lost key keys book money cheap expensive love like happy birthday congratulations welcome help doctor \
      hospital medicine january february march april june july august september october november december first \
      second third last half past quarter hour minutes years time everyone everything nothing something people think \
      know take make made give other another same great little long high way day man woman world life hand part \
      place case question government company problem yes no too red blue green white black dinner lunch breakfast \
      train flight ticket meet speak wait waiting ready sure back home office garden window table floor
      """
    ),
    (
      "de",
      """
      hallo guten morgen abend danke bitte liebe lieber grüße gruß heute gestern montag dienstag mittwoch donnerstag \
      freitag samstag sonntag uhr treffen einkaufen milch brot kaufen sehr geehrte geehrter rechnung mfg kein ich \
      bin bist hier ihr mein meine dein deine unser unsere uns euch mich dich mir dir ihm ihnen haben habe hast \
      sehen kommen kommt komme gehen geht fährt zug zwei drei vier fünf sechs sieben acht neun zehn jetzt immer gut \
      schon dann wenn weil aber alle alles können muss müssen wollen möchte woche monat jahr haus was wer wo warum \
      du man dies diese dieser dieses jede jeder jedes keine keinen meinen seine seinen ihren ihrem eines hatte \
      hatten war waren wurde wurden wäre kann kannst soll sollen sollte darf dürfen will willst lassen macht machen \
      machte nehmen gibt geben bringt bringen schreiben lesen hören finden gefunden verloren suchen warten wissen \
      weiß denken sagen sprechen verstehen brauchen brauche kosten kostet beginnt beginnen endet öffnen schließen \
      geschlossen geöffnet offen tür türen eingang ausgang einfahrt ausfahrt notausgang drücken ziehen verboten \
      rauchen betreten freihalten vorsicht achtung gefahr hund nächster nächste halt haltestelle bahnhof \
      hauptbahnhof gleis links rechts ausstieg parken parkplatz privat zutritt zugang toilette frei herren damen \
      betrifft anbei anlage antwort brief anfrage bezüglich bestätigen bestätigung termin mitteilen mitteilung \
      leider entschuldigung vertrag kündigung anschrift telefon unterschrift kopie freundlichen grüßen \
      hochachtungsvoll herr frau geehrten vielen dank nummer rechnungsnummer betrag summe gesamt steuer \
      mehrwertsteuer zahlung zahlen bezahlen überweisen überweisung fällig datum kunde kundennummer bestellung \
      lieferung preis konto tage tagen innerhalb zahlbar menge stück quittung artikel essen trinken wasser kaffee \
      tee kind kinder mutter vater freund freundin katze küche zimmer schule unterricht lehrer arbeit auto straße \
      stadt wetter regen regnet sonne scheint kalt warm schlecht neu neue neuen alt alte groß große klein kleine \
      verkaufen schicken vergessen erinnern anrufen anruf schlüssel buch geld billig teuer lieben glücklich \
      geburtstag herzlichen glückwunsch willkommen hilfe helfen arzt krankenhaus medikament januar februar märz \
      april mai juni juli august september oktober november dezember erste ersten zweite zweiten dritte letzte halb \
      viertel stunde stunden minuten jahre zeit ganz etwas nichts jemand niemand viel viele wenig mehr zuerst danach \
      vor seit bis während ohne gegen unter zwischen hinter neben ob damit deshalb trotzdem doch ja nein nur wieder \
      rot blau grün schwarz abendessen mittagessen frühstück fenster garten tisch wohnung büro fertig zurück bitten \
      freuen gern gerne möchten würden könnten schöne schönen gute wichtig möglich
      """
    ),
    (
      "nl",
      """
      hallo goedemorgen dank bedankt graag beste groeten morgen gisteren vandaag maandag dinsdag woensdag donderdag \
      vrijdag zaterdag zondag ziens melk brood factuur meneer mevrouw kopen alstublieft ik jij hij zij wij we jullie \
      mijn jouw onze ons mij ben bent hebben heb hebt gaan gaat komt hier daar waar wanneer wie wat waarom hoe goed \
      heel altijd nooit twee drie vier vijf zes zeven acht negen tien uur trein vertrekt huis week maand jaar werk \
      alles alle niets veel u je jou hem haar hun hen zijne dit elke elk geen iedere ieder ander andere zelfde waren \
      had hadden werd werden zou zouden kunnen kunt moet moeten mag mogen wil willen wilt laten maken maakt doen \
      doet nemen geven geeft brengen schrijven lezen horen vinden gevonden verloren zoeken wachten weten weet denken \
      zeggen spreken begrijpen nodig kost begint beginnen eindigt openen sluiten gesloten open deur deuren ingang \
      uitgang nooduitgang duwen trekken verboden roken toegang parkeren parkeerplaats gevaar let voorzichtig hond \
      volgende halte station centraal spoor perron links rechts uitstappen privé toilet vrij bezet heren dames \
      onderwerp betreft bijlage bijgevoegd antwoord brief verzoek aanvraag bevestigen bevestiging afspraak mededelen \
      helaas sorry contract opzegging adres telefoon handtekening kopie geachte hoogachtend vriendelijke groet \
      hartelijk hartelijke nummer factuurnummer bedrag som totaal belasting btw betaling betalen voldoen overmaken \
      overschrijving vervaldatum datum klant klantnummer bestelling levering prijs rekening dagen binnen aantal \
      stuks bon artikel eten drinken water koffie thee kind kinderen moeder vader vriend vriendin kat keuken kamer \
      school les lessen leraar auto straat stad weer regen regent zon schijnt koud warm slecht nieuw nieuwe oud oude \
      groot grote klein kleine verkopen sturen vergeten herinneren bellen sleutel sleutels boek geld goedkoop duur \
      liefde houden gelukkig verjaardag gefeliciteerd welkom hulp helpen dokter ziekenhuis medicijn januari februari \
      maart april mei juni juli augustus september oktober november december eerste tweede derde laatste half kwart \
      uren minuten jaren tijd iets niemand iemand weinig meer minder eerst daarna sinds tijdens zonder tegen onder \
      tussen achter naast of omdat daarom toch ja nee alleen samen rood blauw groen wit zwart avondeten lunch \
      ontbijt raam tuin tafel kantoor klaar terug avond nacht ochtend vanavond ontvangen verzenden a.u.b. gelieve
      """
    ),
    (
      "sv",
      """
      hej god morgon kväll tack snälla kära hälsningar imorgon igår idag måndag tisdag onsdag torsdag fredag lördag \
      söndag hur mår du mjölk bröd faktura köpa vänliga ni hon oss mig dig sig min din vår kommer går här där vad \
      vem varför mycket alltid aldrig två tre fyra fem sju åtta nio tio klockan tåget huset vecka månad arbete bara \
      han er dem sitt sina denna detta dessa varje ingen inget annan andra samma vara blir blev bli kunna måste får \
      fick vill ville skall borde göra gör gjorde säga ta ge ger skriva läsa höra hitta hittat förlorat söka vänta \
      veta vet tänka tala förstå behöver kostar börjar slutar öppna stänga stäng stängt öppet stängd dörr dörren \
      ingång utgång nödutgång tryck dra förbjudet förbjuden rökning röka parkering tillträde obehöriga fara varning \
      se upp hund nästa hållplats station centralstation spår vänster höger privat toalett ledig upptagen ärende \
      bifogat bilaga svar brev begäran angående bekräfta bekräftelse möte tid meddela tyvärr ursäkta avtal \
      uppsägning adress telefon underskrift kopia bästa hälsning fakturanummer nummer belopp summa totalt moms \
      betalning betala betalas överföring förfallodatum datum kund kundnummer beställning leverans pris konto dagar \
      inom antal kvitto artikel äta dricka vatten kaffe te barn barnen mor far mamma pappa vän vänner katt kök rum \
      skola skolan lektion lärare bil bilen gata stad väder regn regnar solen sol kallt varmt dåligt bra ny nya \
      gammal stor stora liten små sälja skicka glöm glömma minnas ringa nyckel nycklar bok pengar billig dyr kärlek \
      älskar lycklig födelsedag grattis välkommen välkomna hjälp hjälpa läkare sjukhus medicin januari februari mars \
      april maj juni juli augusti september oktober november december första tredje sista halv kvart timme timmar \
      minuter år något ingenting någon lite mer mindre först sedan under utan mot mellan bakom bredvid därför ändå \
      ja nej igen tillsammans röd blå grön vit svart middag lunch frukost fönster trädgård bord kontor färdig \
      tillbaka ikväll natt morse hos genom ner ut allt alla
      """
    ),
    (
      "da",
      """
      hej goddag godaften tak venlig hilsen kære morgen aften mandag tirsdag onsdag torsdag fredag lørdag søndag \
      mælk brød mad hvordan dig købe jeg os din vores kommer går her hvornår hvad hvem hvorfor meget altid aldrig \
      tre fire fem seks syv otte klokken toget huset uge måned arbejde også kun du dem sin sit sine denne dette \
      disse hver ingen intet anden andre samme være bliver blive kunne må fik vil ville skulle bør gøre gør gjorde \
      sige sagde tage give giver skrive læse høre finde fundet tabt søge vente vide ved tænke tale forstå behøver \
      koster begynder slutter åbne lukke luk lukket åben åbent dør døren indgang udgang nødudgang tryk træk forbudt \
      rygning ryge parkering adgang uvedkommende fare advarsel pas hund næste stoppested station hovedbanegård spor \
      venstre højre privat toilet ledig optaget emne vedlagt vedhæftet bilag svar brev anmodning vedrørende bekræfte \
      bekræftelse møde aftale meddele desværre undskyld kontrakt opsigelse adresse telefon underskrift kopi hilsner \
      venlige bedste mange fakturanummer faktura nummer beløb sum samlet alt moms betaling betale betales overførsel \
      forfaldsdato dato kunde kundenummer bestilling levering pris konto dage inden antal kvittering vare spise \
      drikke vand kaffe te barn børn børnene mor far ven venner veninde kat køkken værelse skole skolen time lærer \
      bil bilen gade by vejr vejret regn regner solen sol koldt varmt dårligt godt god ny nye gammel stor store \
      lille små sælge sende sendt glem glemme huske ringe nøgle nøgler bog penge billig dyr kærlighed elsker \
      lykkelig fødselsdag tillykke velkommen hjælp hjælpe læge sygehus medicin januar februar marts april maj juni \
      juli august september oktober november december første tredje sidste halv kvart timer minutter år tid noget \
      nogen lidt mere mindre først siden under uden mod mellem bag derfor dog ja nej igen sammen rød blå grøn hvid \
      sort aftensmad frokost morgenmad vindue have bord kontor færdig tilbage nat dag hos gennem op ned alle jer
      """
    ),
    (
      "nb",
      """
      hei god takk vennlig hilsen kjære morgen kveld mandag tirsdag onsdag torsdag fredag lørdag søndag melk brød \
      hvordan deg kjøpe vær oss meg min din vår kommer går her når hvem hvorfor mye alltid aldri tre fire fem seks \
      sju åtte klokken toget huset uke måned arbeid bare du dem sin sitt sine denne dette disse hver ingen annen \
      andre samme være bli kunne må fikk vil ville skulle bør gjøre gjør gjorde si sa ta gi gir skrive lese høre \
      finne funnet mistet søke vente vite vet tenke snakke forstå trenger koster begynner slutter åpne lukke lukk \
      lukket stengt åpen åpent dør døren døra inngang utgang nødutgang trykk trekk forbudt røyking røyke parkering \
      adgang uvedkommende fare advarsel pass hund neste holdeplass stasjon sentralstasjon spor venstre høyre privat \
      toalett ledig opptatt emne vedlagt vedlegg svar brev forespørsel angående bekrefte bekreftelse møte avtale \
      meddele dessverre unnskyld kontrakt oppsigelse adresse telefon underskrift kopi hilsener vennlige mange \
      fakturanummer faktura nummer beløp sum totalt mva betaling betale betales overføring forfallsdato dato kunde \
      kundenummer bestilling levering pris konto dager innen antall kvittering vare spise drikke vann kaffe te barn \
      barna mor far venn venner venninne katt kjøkken rom skole skolen time lærer bil bilen gate by været regn \
      regner solen sol kaldt varmt dårlig godt bra ny nye gammel stor store liten små selge sende sendt glem glemme \
      huske ringe nøkkel nøkler bok penger billig dyr kjærlighet elsker lykkelig bursdag gratulerer velkommen hjelp \
      hjelpe lege sykehus medisin januar februar mars april mai juni juli august september oktober november desember \
      første tredje siste halv kvart timer minutter år tid noe ingenting noen litt mer mindre først siden under uten \
      mot mellom bak derfor ja nei igjen sammen rød blå grønn hvit svart middag lunsj frokost vindu hage bord kontor \
      ferdig tilbake natt dag hos gjennom opp ned ut alle alt dere
      """
    ),
  ]
}
