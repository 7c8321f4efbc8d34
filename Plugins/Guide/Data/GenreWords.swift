/// The beginnings of words by which categories are known, folded as ``WordFolding`` does it: small letters
/// without marks. With a blank behind it a word is meant as a whole.
enum GenreWords {
  static let misleading = [
    (" transport", " "), (" soap opera", " soap"), (" science fiction", " series"),
    (" sci fi", " series"), (" docusoap", " show"), (" docu soap", " show"), (" dokusoap", " show"),
    (" doku soap", " show"),
  ]

  static let stems: [Genre: [String]] = folded([
    .children: """
    child, kids, youth, cartoon, animation, anime, kinder, jugend, zeichentrick, enfant, jeunesse, dessin anime,
    infantil, ninos, dibujos, bambini, ragazzi, cartoni, criancas, desenhos, jeugd, barne, barnprogram, barn ,
    lasten, dzieci, animowan, detsk, deti , pohadk, gyerek, mese , copii, cocuk, детск, дитяч, мульт, παιδικ,
    ילדים, أطفال, اطفال, 子供, キッズ, アニメ, 儿童, 兒童, 动画, 動畫, 少儿, 어린이, 애니
    """,
    .documentary: """
    docu, doku, factual, science, nature, wildlife, animals, history, travel, education, natur, wissen, geschichte,
    reportage, reise, tiere, bildung, decouverte, histoire, voyage, animaux, ciencia, naturaleza, historia ,
    viajes, scienza, natura, storia, viaggi, natuur, wetenschap, vitenskap, vetenskap, luonto, przyrod, nauk,
    priroda, veda , termeszet, tudomany, stiinta, belgesel, документ, наук, природ, ντοκιμαντερ, תעודה, وثائقي,
    ドキュメンタリー, 纪录, 紀錄, 다큐
    """,
    .film: """
    film, movie, cinema, western, thriller, kino, pelicula, cine , elokuva, kvikmynd, sinema, фильм, фільм, кино,
    ταινι, סרט, فيلم, أفلام, افلام, 映画, 电影, 電影, 영화
    """,
    .sports: """
    sport, soccer, football, tennis, hockey, basketball, rugby, golf, cricket, boxing, cycling, olymp, formula 1,
    formel 1, formule 1, fussball, handball, boxen, ski , biathlon, radsport, deport, futbol, futebol, calcio,
    ciclismo, voetbal, wielren, fotboll, fotball, fodbold, urheilu, jalkapallo, pilka, fotbal, foci, spor , спорт,
    футбол, хоккей, αθλητ, ποδοσφαιρ, ספורט, كرة, رياض, スポーツ, 体育, 體育, 足球, 스포츠
    """,
    .news: """
    news, current affairs, politi, weather, nachricht, aktuell, wetter, actualit, journal, meteo, inform, notici,
    actualidad, notizi, attualita, jornal, nieuws, actualiteit, nyhet, nyhed, uutis, wiadomos, publicysty, zpravod,
    zpravy, spravod, spravy, hirek, hirado, stiri, actualitati, haber, новост, новини, погода, ειδησ, חדשות,
    أخبار, اخبار, ニュース, 新闻, 新聞, 뉴스
    """,
    .music: """
    music, concert, opera, ballet, dance , arts, art , culture, theatre, theater, jazz, classical, musik, konzert,
    oper , operette, ballett, tanz, kunst, kultur, musique, danse, musica, concierto, danza, teatro,
    cultura, concerto, muziek, cultuur, konsert, musiikki, kulttuuri, muzyk, koncert, teatr, hudb, kultura, zene,
    muzica, muzik, музык, музик, концерт, культур, театр, μουσικ, מוסיקה, מוזיקה, موسيقى, 音楽, 音乐, 音樂, 음악
    """,
    .series: """
    series, serie, serial, soap, sitcom, comed, drama, crime, mystery, detective, telenovela, krimi, komodie, feuilleton,
    policier, novela, comedia, policiac, commedia, giallo, misdaad, komedie, komedi, sarja, jannitys, seriale,
    detektyw, detektiv, sorozat, dramat, dizi, сериал, серіал, драма, детектив, комеди, σειρ, סדרה, مسلسل, ドラマ,
    电视剧, 電視劇, 連續劇, 드라마
    """,
    .show: """
    show, quiz, game, talk, entertainment, reality, variety, magazine, cooking, lifestyle, leisure, hobb, shopping,
    satire, comedy show, unterhaltung, magazin, spiele, kochen, kabarett, ratgeber, freizeit, gesprach, divertissement,
    jeu , jeux, variete, cuisine, loisir, entreten, concurso, cocina, humor, intrattenimento, varieta, cucina, amusement,
    spelletje, koken, underhallning, underholdning, viihde, rozryw, teleturniej, kulinar, zabav, soutez,
    szorakoz, vetelked, divertis, eglence, yarisma, шоу, развлек, розваг, игра, кулинар, ψυχαγωγ, בידור, ترفيه,
    バラエティ, 综艺, 綜藝, 예능
    """,
  ])

  private static func folded(_ lists: [Genre: String]) -> [Genre: [String]] {
    lists.mapValues { list in
      list.split(separator: ",").map { entry in
        // A line's end before a word is none of it; a blank behind one is.
        let isWhole = entry.hasSuffix(" ")
        let words = WordFolding.words(String(entry), cutsEndings: false)
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
          + (isWhole ? " " : "")
      }
    }
  }
}
