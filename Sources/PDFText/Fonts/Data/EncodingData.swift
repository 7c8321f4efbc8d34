// Generated from the tables of PDF 32000-1, Annex D; not to be edited by hand.
// The data: names and codes that the standard defines, no licence needed; see NOTICE.

/// The names of the 256 codes of each encoding, `-` where a code has none.
enum EncodingData {
  /// StandardEncoding.
  static let standard: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space exclam quotedbl numbersign
    dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash
    zero one two three four five six seven eight nine colon semicolon less equal greater question at
    A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright
    asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft
    bar braceright asciitilde - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
    exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft
    guillemotleft guilsinglleft guilsinglright fi fl - endash dagger daggerdbl periodcentered -
    paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand -
    questiondown - grave acute circumflex tilde macron breve dotaccent dieresis - ring cedilla -
    hungarumlaut ogonek caron emdash - - - - - - - - - - - - - - - - AE - ordfeminine - - - - Lslash
    Oslash OE ordmasculine - - - - - ae - - - dotlessi - - lslash oslash oe germandbls - - - -
    """
  /// WinAnsiEncoding.
  static let winAnsi: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space exclam quotedbl numbersign
    dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period
    slash zero one two three four five six seven eight nine colon semicolon less equal greater
    question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash
    bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z
    braceleft bar braceright asciitilde bullet Euro bullet quotesinglbase florin quotedblbase
    ellipsis dagger daggerdbl circumflex perthousand Scaron guilsinglleft OE bullet Zcaron bullet
    bullet quoteleft quoteright quotedblleft quotedblright bullet endash emdash tilde trademark
    scaron guilsinglright oe bullet zcaron Ydieresis space exclamdown cent sterling currency yen
    brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot hyphen registered
    macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla
    onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave
    Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave
    Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply
    Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex
    atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex
    idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute
    ucircumflex udieresis yacute thorn ydieresis
    """
  /// MacRomanEncoding.
  static let macRoman: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space exclam quotedbl numbersign
    dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period
    slash zero one two three four five six seven eight nine colon semicolon less equal greater
    question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash
    bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z
    braceleft bar braceright asciitilde - Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis
    aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave ecircumflex edieresis
    iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute
    ugrave ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls
    registered copyright trademark acute dieresis - AE Oslash - plusminus - - yen mu - - - - -
    ordfeminine ordmasculine - ae oslash questiondown exclamdown logicalnot - florin - -
    guillemotleft guillemotright ellipsis space Agrave Atilde Otilde OE oe endash emdash
    quotedblleft quotedblright quoteleft quoteright divide - ydieresis Ydieresis fraction currency
    guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase
    perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave
    Oacute Ocircumflex - Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve
    dotaccent ring cedilla hungarumlaut ogonek caron
    """
  /// MacExpertEncoding.
  static let macExpert: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space exclamsmall
    Hungarumlautsmall centoldstyle dollaroldstyle dollarsuperior ampersandsmall Acutesmall
    parenleftsuperior parenrightsuperior twodotenleader onedotenleader comma hyphen period fraction
    zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle
    sevenoldstyle eightoldstyle nineoldstyle colon semicolon - threequartersemdash - questionsmall -
    - - - Ethsmall - - onequarter onehalf threequarters oneeighth threeeighths fiveeighths
    seveneighths onethird twothirds - - - - - - ff fi fl ffi ffl parenleftinferior -
    parenrightinferior Circumflexsmall hypheninferior Gravesmall Asmall Bsmall Csmall Dsmall Esmall
    Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall
    Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah
    Tildesmall - - asuperior centsuperior - - - - Aacutesmall Agravesmall Acircumflexsmall
    Adieresissmall Atildesmall Aringsmall Ccedillasmall Eacutesmall Egravesmall Ecircumflexsmall
    Edieresissmall Iacutesmall Igravesmall Icircumflexsmall Idieresissmall Ntildesmall Oacutesmall
    Ogravesmall Ocircumflexsmall Odieresissmall Otildesmall Uacutesmall Ugravesmall Ucircumflexsmall
    Udieresissmall - eightsuperior fourinferior threeinferior sixinferior eightinferior
    seveninferior Scaronsmall - centinferior twoinferior - Dieresissmall - Caronsmall osuperior
    fiveinferior - commainferior periodinferior Yacutesmall - dollarinferior - - Thornsmall -
    nineinferior zeroinferior Zcaronsmall AEsmall Oslashsmall questiondownsmall oneinferior
    Lslashsmall - - - - - - Cedillasmall - - - - - OEsmall figuredash hyphensuperior - - - -
    exclamdownsmall - Ydieresissmall - onesuperior twosuperior threesuperior foursuperior
    fivesuperior sixsuperior sevensuperior ninesuperior zerosuperior - esuperior rsuperior tsuperior
    - - isuperior ssuperior dsuperior - - - - - lsuperior Ogoneksmall Brevesmall Macronsmall
    bsuperior nsuperior msuperior commasuperior periodsuperior Dotaccentsmall Ringsmall - - - -
    """
  /// The built-in encoding of Symbol.
  static let symbol: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space exclam universal
    numbersign existential percent ampersand suchthat parenleft parenright asteriskmath plus comma
    minus period slash zero one two three four five six seven eight nine colon semicolon less equal
    greater question congruent Alpha Beta Chi Delta Epsilon Phi Gamma Eta Iota theta1 Kappa Lambda
    Mu Nu Omicron Pi Theta Rho Sigma Tau Upsilon sigma1 Omega Xi Psi Zeta bracketleft therefore
    bracketright perpendicular underscore radicalex alpha beta chi delta epsilon phi gamma eta iota
    phi1 kappa lambda mu nu omicron pi theta rho sigma tau upsilon omega1 omega xi psi zeta
    braceleft bar braceright similar - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
    - Euro Upsilon1 minute lessequal fraction infinity florin club diamond heart spade arrowboth
    arrowleft arrowup arrowright arrowdown degree plusminus second greaterequal multiply
    proportional partialdiff bullet divide notequal equivalence approxequal ellipsis arrowvertex
    arrowhorizex carriagereturn aleph Ifraktur Rfraktur weierstrass circlemultiply circleplus
    emptyset intersection union propersuperset reflexsuperset notsubset propersubset reflexsubset
    element notelement angle gradient registerserif copyrightserif trademarkserif product radical
    dotmath logicalnot logicaland logicalor arrowdblboth arrowdblleft arrowdblup arrowdblright
    arrowdbldown lozenge angleleft registersans copyrightsans trademarksans summation parenlefttp
    parenleftex parenleftbt bracketlefttp bracketleftex bracketleftbt bracelefttp braceleftmid
    braceleftbt braceex - angleright integral integraltp integralex integralbt parenrighttp
    parenrightex parenrightbt bracketrighttp bracketrightex bracketrightbt bracerighttp
    bracerightmid bracerightbt -
    """
  /// The built-in encoding of ZapfDingbats.
  static let zapfDingbats: StaticString = """
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - space a1 a2 a202 a3 a4 a5 a119
    a118 a117 a11 a12 a13 a14 a15 a16 a105 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a6 a7 a8
    a9 a10 a29 a30 a31 a32 a33 a34 a35 a36 a37 a38 a39 a40 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50
    a51 a52 a53 a54 a55 a56 a57 a58 a59 a60 a61 a62 a63 a64 a65 a66 a67 a68 a69 a70 a71 a72 a73 a74
    a203 a75 a204 a76 a77 a78 a79 a81 a82 a83 a84 a97 a98 a99 a100 - a89 a90 a93 a94 a91 a92 a205
    a85 a206 a86 a87 a88 a95 a96 - - - - - - - - - - - - - - - - - - - a101 a102 a103 a104 a106 a107
    a108 a112 a111 a110 a109 a120 a121 a122 a123 a124 a125 a126 a127 a128 a129 a130 a131 a132 a133
    a134 a135 a136 a137 a138 a139 a140 a141 a142 a143 a144 a145 a146 a147 a148 a149 a150 a151 a152
    a153 a154 a155 a156 a157 a158 a159 a160 a161 a163 a164 a196 a165 a192 a166 a167 a168 a169 a170
    a171 a172 a173 a162 a174 a175 a176 a177 a178 a179 a193 a180 a199 a181 a200 a182 - a201 a183 a184
    a197 a185 a194 a198 a186 a195 a187 a188 a189 a190 a191 -
    """
  /// `name=HEX` of the glyphs of ZapfDingbats, in the order of the bytes of the names.
  static let dingbats: StaticString = """
    a1=2701 a10=2721 a100=275E a101=2761 a102=2762 a103=2763 a104=2764 a105=2710 a106=2765 a107=2766
    a108=2767 a109=2660 a11=261B a110=2665 a111=2666 a112=2663 a117=2709 a118=2708 a119=2707
    a12=261E a120=2460 a121=2461 a122=2462 a123=2463 a124=2464 a125=2465 a126=2466 a127=2467
    a128=2468 a129=2469 a13=270C a130=2776 a131=2777 a132=2778 a133=2779 a134=277A a135=277B
    a136=277C a137=277D a138=277E a139=277F a14=270D a140=2780 a141=2781 a142=2782 a143=2783
    a144=2784 a145=2785 a146=2786 a147=2787 a148=2788 a149=2789 a15=270E a150=278A a151=278B
    a152=278C a153=278D a154=278E a155=278F a156=2790 a157=2791 a158=2792 a159=2793 a16=270F
    a160=2794 a161=2192 a162=27A3 a163=2194 a164=2195 a165=2799 a166=279B a167=279C a168=279D
    a169=279E a17=2711 a170=279F a171=27A0 a172=27A1 a173=27A2 a174=27A4 a175=27A5 a176=27A6
    a177=27A7 a178=27A8 a179=27A9 a18=2712 a180=27AB a181=27AD a182=27AF a183=27B2 a184=27B3
    a185=27B5 a186=27B8 a187=27BA a188=27BB a189=27BC a19=2713 a190=27BD a191=27BE a192=279A
    a193=27AA a194=27B6 a195=27B9 a196=2798 a197=27B4 a198=27B7 a199=27AC a2=2702 a20=2714 a200=27AE
    a201=27B1 a202=2703 a203=2750 a204=2752 a21=2715 a22=2716 a23=2717 a24=2718 a25=2719 a26=271A
    a27=271B a28=271C a29=2722 a3=2704 a30=2723 a31=2724 a32=2725 a33=2726 a34=2727 a35=2605
    a36=2729 a37=272A a38=272B a39=272C a4=260E a40=272D a41=272E a42=272F a43=2730 a44=2731
    a45=2732 a46=2733 a47=2734 a48=2735 a49=2736 a5=2706 a50=2737 a51=2738 a52=2739 a53=273A
    a54=273B a55=273C a56=273D a57=273E a58=273F a59=2740 a6=271D a60=2741 a61=2742 a62=2743
    a63=2744 a64=2745 a65=2746 a66=2747 a67=2748 a68=2749 a69=274A a7=271E a70=274B a71=25CF
    a72=274D a73=25A0 a74=274F a75=2751 a76=25B2 a77=25BC a78=25C6 a79=2756 a8=271F a81=25D7
    a82=2758 a83=2759 a84=275A a9=2720 a97=275B a98=275C a99=275D
    """

  /// The names of the standard Macintosh glyph order (OpenType specification, table `post`).
  static let macintoshOrder: StaticString = """
    .notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand
    quotesingle parenleft parenright asterisk plus comma hyphen period slash zero one two three four
    five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L
    M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore grave a b
    c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde Adieresis
    Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde
    aring ccedilla eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis ntilde
    oacute ograve ocircumflex odieresis otilde uacute ugrave ucircumflex udieresis dagger degree
    cent sterling section bullet paragraph germandbls registered copyright trademark acute dieresis
    notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff summation
    product pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot
    radical florin approxequal Delta guillemotleft guillemotright ellipsis nonbreakingspace Agrave
    Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft quoteright divide lozenge
    ydieresis Ydieresis fraction currency guilsinglleft guilsinglright fi fl daggerdbl
    periodcentered quotesinglbase quotedblbase perthousand Acircumflex Ecircumflex Aacute Edieresis
    Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute Ucircumflex
    Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron
    Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus
    multiply onesuperior twosuperior threesuperior onehalf onequarter threequarters franc Gbreve
    gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron dcroat
    """
}
