// The encodings of TeX's fonts as the LaTeX project documents them (LaTeX font encodings, "encguide"): names of
// characters in their order, no licence needed.

/// The names of the 256 codes of each encoding, `-` where a code has none.
enum TeXEncodingData {
  /// T1, the Cork encoding.
  static let cork: StaticString = """
    grave acute circumflex tilde dieresis hungarumlaut ring caron breve macron dotaccent cedilla
    ogonek quotesinglbase guilsinglleft guilsinglright quotedblleft quotedblright quotedblbase
    guillemotleft guillemotright endash emdash - - dotlessi uni0237 f_f fi fl f_f_i f_f_l uni2423
    exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk
    plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon
    less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft
    backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t
    u v w x y z braceleft bar braceright asciitilde hyphen Abreve Aogonek Cacute Ccaron Dcaron
    Ecaron Eogonek Gbreve Lacute Lcaron Lslash Nacute Ncaron Eng Ohungarumlaut Racute Rcaron Sacute
    Scaron Scedilla Tcaron uni0162 Uhungarumlaut Uring Ydieresis Zacute Zcaron Zdotaccent IJ
    Idotaccent dcroat section abreve aogonek cacute ccaron dcaron ecaron eogonek gbreve lacute
    lcaron lslash nacute ncaron eng ohungarumlaut racute rcaron sacute scaron scedilla tcaron
    uni0163 uhungarumlaut uring ydieresis zacute zcaron zdotaccent ij exclamdown questiondown
    sterling Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex
    Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde
    Odieresis OE Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn S_S agrave aacute
    acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute
    icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis oe oslash ugrave
    uacute ucircumflex udieresis yacute thorn germandbls
    """
  /// OT1, the encoding of Computer Modern's text fonts.
  static let computerModern: StaticString = """
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega f_f fi fl f_f_i f_f_l dotlessi
    uni0237 grave acute caron breve macron ring cedilla germandbls ae oe oslash AE OE Oslash -
    exclam quotedblright numbersign dollar percent ampersand quoteright parenleft parenright
    asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon
    semicolon exclamdown equal questiondown question at A B C D E F G H I J K L M N O P Q R S T U V
    W X Y Z bracketleft quotedblleft bracketright asciicircum dotaccent quoteleft a b c d e f g h i
    j k l m n o p q r s t u v w x y z endash emdash hungarumlaut tilde dieresis - - - - - - - - - -
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
    - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
    - - - - - - - - - - - - - - - - - - - - - -
    """
}
