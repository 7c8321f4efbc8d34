/// Glyph names that the Adobe Glyph List lacks: those of the fonts of TeX (Computer Modern, AMS symbols) and their
/// descendants.
enum MathGlyphNames {
  /// `name=HEX`, in the order of the bytes of the names.
  static let list: StaticString = """
    Ng=014A angbracketlef=27E8 angbracketleft=27E8 angbracketleftBig=27E8 angbracketleftBigg=27E8
    angbracketleftbig=27E8 angbracketleftbigg=27E8 angbracketrig=27E9 angbracketright=27E9 angbracketrightBig=27E9
    angbracketrightBigg=27E9 angbracketrightbig=27E9 angbracketrightbigg=27E9 approxorequal=224A arrowbothv=2195
    arrowdblbothv=21D5 arrowdblleftright=21D4 arrowhookleft=21A9 arrowhookright=21AA arrowhorizex=23AF
    arrowleftbothalf=21BD arrowlefttophalf=21BC arrownortheast=2197 arrownorthwest=2196 arrowrightbothalf=21C1
    arrowrighttophalf=21C0 arrowsoutheast=2198 arrowsouthwest=2199 arrowsquiggleright=21DD arrowtailleft=21A2
    arrowtailright=21A3 arrowvertex=23D0 backslashBig=005C backslashBigg=005C backslashbig=005C backslashbigg=005C
    baht=0E3F bardbl=2016 beth=2136 bigcircle=25EF bigstar=2605 braceex=23AA braceleftBig=007B braceleftBigg=007B
    braceleftbig=007B braceleftbigg=007B braceleftbt=23A9 braceleftmid=23A8 bracelefttp=23A7 bracerightBig=007D
    bracerightBigg=007D bracerightbig=007D bracerightbigg=007D bracerightbt=23AD bracerightmid=23AC bracerighttp=23AB
    bracketleftBig=005B bracketleftBigg=005B bracketleftbig=005B bracketleftbigg=005B bracketleftbt=23A3
    bracketleftex=23A2 bracketlefttp=23A1 bracketrightBig=005D bracketrightBigg=005D bracketrightbig=005D
    bracketrightbigg=005D bracketrightbt=23A6 bracketrightex=23A5 bracketrighttp=23A4 ceilingleft=2308
    ceilingleftBig=2308 ceilingleftBigg=2308 ceilingleftbig=2308 ceilingleftbigg=2308 ceilingright=2309
    ceilingrightBig=2309 ceilingrightBigg=2309 ceilingrightbig=2309 ceilingrightbigg=2309 check=2713 circleR=00AE
    circleS=24C8 circlecopyrt=00A9 circledivide=2298 circledot=2299 circledotdisplay=2A00 circledottext=2A00
    circleminus=2296 circlemultiplydisplay=2A02 circlemultiplytext=2A02 circleplusdisplay=2A01 circleplustext=2A01
    compwordmark=200C contintegraldisplay=222E contintegraltext=222E coproduct=2210 coproductdisplay=2210
    coproducttext=2210 copyleft=1F12F daleth=2138 diagdown=2572 diagup=2571 diamondmath=22C4 diamondsolid=2666
    discount=2052 divorced=26AE ell=2113 emptysetalt=2205 epsilon1=03F5 equivasymptotic=224D flat=266D floorleft=230A
    floorleftBig=230A floorleftBigg=230A floorleftbig=230A floorleftbigg=230A floorright=230B floorrightBig=230B
    floorrightBigg=230B floorrightbig=230B floorrightbigg=230B follows=227B followsequal=2AB0 followsorcurly=227D
    forces=22A9 gnaborretni=2E18 greaterdblequal=2267 greaterequalslant=2A7E greatermuch=226B greaterorequalslant=2A7E
    greaterorsimilar=2273 guarani=20B2 harpoonleftright=21CB harpoonrightleft=21CC hatwide=02C6 hatwider=02C6
    hatwidest=02C6 integraldisplay=222B integralex=23AE integraltext=222B intercal=22BA interrobang=203D
    intersectiondisplay=22C2 intersectionsq=2293 intersectiontext=22C2 latticetop=22A4 leaf=2766 lessdblequal=2266
    lessequalslant=2A7D lessmuch=226A lessorequalslant=2A7D lessorsimilar=2272 logicalanddisplay=22C0
    logicalandtext=22C0 logicalordisplay=22C1 logicalortext=22C1 lscript=2113 maltesecross=2720 mapsto=21A6
    married=26AD mho=2127 multicloseleft=22C9 multicloseright=22CA multiopenleft=22CB multiopenright=22CC naira=20A6
    natural=266E negationslash=0338 ng=014B notdivides=2224 notexistential=2204 notfollows=2281 notforces=22AE
    notgreaterequal=2271 notgreateroreql=2271 notlessequal=2270 notlessoreql=2270 notsatisfies=22AD notsubsetoreql=2288
    notsupersetoreql=2289 notturnstile=22AC ohm=2126 opencircle=25E6 owner=220B parenleftBig=0028 parenleftBigg=0028
    parenleftbig=0028 parenleftbigg=0028 parenleftbt=239D parenleftex=239C parenlefttp=239B parenrightBig=0029
    parenrightBigg=0029 parenrightbig=0029 parenrightbigg=0029 parenrightbt=23A0 parenrightex=239F parenrighttp=239E
    perpcorrespond=2A5E pertenthousand=2031 perthousandzero=2030 peso=20B1 pi1=03D6 pilcrow=00B6 planckover2pi=210F
    planckover2pi1=210F polishlcross=0337 precedesequal=2AAF precedesorcurly=227C prime=2032 productdisplay=220F
    producttext=220F quillbracketleft=2045 quillbracketright=2046 radicalBig=221A radicalBigg=221A radicalbig=221A
    radicalbigg=221A radicalbt=221A radicalex=203E radicaltp=221A radicalvertex=221A recipe=211E rho1=03F1
    rightanglene=231D rightanglenw=231C rightanglese=231F rightanglesw=231E satisfies=22A8 servicemark=2120 sharp=266F
    similarequal=2243 similarequalalt=2243 slashBig=002F slashBigg=002F slashbig=002F slashbigg=002F slurabove=2322
    slurbelow=2323 square=25A1 squaredot=22A1 squaresolid=25A0 star=22C6 subsetnoteql=228A subsetsqequal=2291
    summationdisplay=2211 summationtext=2211 supersetnoteql=228B supersetsqequal=2292 suppress=0337 tie=2040
    tildewide=02DC tildewider=02DC tildewidest=02DC triangle=25B3 triangleinv=25BD triangleleft=25C1
    triangleleftsld=25C0 triangleright=25B7 trianglerightsld=25B6 trianglesolid=25B2 turnstileleft=22A2
    turnstileright=22A3 uniondisplay=22C3 unionmulti=228E unionmultidisplay=2A04 unionmultitext=2A04 unionsq=2294
    unionsqdisplay=2A06 unionsqtext=2A06 uniontext=22C3 vector=20D7 vextenddouble=2016 vextendsingle=007C
    visiblespace=2423 wreathproduct=2240
    """
}
