/// Small letters with marks, and the letters that they are without: by the decompositions of Unicode for
/// Latin, Greek and Cyrillic, and a few by custom (ø, ł, æ, ς).
enum MarkedLetters {
  static let marked =
    "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĺļľłńņňōŏőœŕŗřśŝşšţťŧũ"
    + "ūŭůűųŵŷźżžſơưǎǐǒǔǖǘǚǜǟǡǣǧǩǫǭǯǰǵǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳʹΐάέήίΰςϊϋόύώϐϑϒϓϔϕϖϰϱϲ"
    + "ϵйѐёѓїќѝўѷӂӑӓӗӛӝӟӣӥӧӫӭӯӱӳӵӹḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩ"
    + "ṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘẙẛạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹἀἁἂἃἄἅἆἇ"
    + "ἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὐὑὒὓὔὕὖὗὠὡὢὣὤὥὦὧὰάὲέὴήὶίὸόὺύὼώᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥ"
    + "ᾦᾧᾰᾱᾲᾳᾴᾶᾷιῂῃῄῆῇῐῑῒΐῖῗῠῡῢΰῤῥῦῧῲῳῴῶῷ"
  /// In the same order.
  static let plain =
    "aaaaaaaceeeeiiiidnoooooouuuuytyaaaccccddeeeeegggghhiiiiijkllllnnnoooorrrsssstttu"
    + "uuuuuwyzzzsouaiouuuuuaaægkooʒjgnaæøaaeeiioorruusthaeooooyʹιαεηιυσιυουωβθΥΥΥφπκρς"
    + "εиеегікиуѵжааеәжзииоөэууучыabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssss"
    + "ttttuuuuuvvwwwwwxxyzzzhtwysaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyyαααααααα"
    + "εεεεεεηηηηηηηηιιιιιιιιοοοοοουυυυυυυυωωωωωωωωααεεηηιιοουυωωααααααααηηηηηηηηωωωωωω"
    + "ωωαααααααιηηηηηιιιιιιυυυυρρυυωωωωω"
}
