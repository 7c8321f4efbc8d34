/// The names of the compressions that TIFF files may have (tag 259), as registered and as in use.
package enum TIFFCompression {
  /// A name for people, such as "JPEG 2000"; the number if the compression is not known.
  package static func name(_ tag: Int) -> String {
    switch tag {
    case 6: "the old form of JPEG"
    case 7: "JPEG"
    case 9, 10, 34661: "JBIG"
    case 22610, 34934: "JPEG XR"
    case 32895...32898: "IT8"
    case 32908, 32909: "Pixar's compression"
    case 32947: "Kodak's compression"
    case 33003...33005, 34712: "JPEG 2000"
    case 34676, 34677: "SGI's LogLuv"
    case 34713: "Nikon's compression"
    case 34715: "JBIG2"
    case 34718...34720: "Microsoft Document Imaging"
    case 34887: "LERC"
    case 34892: "lossy JPEG"
    case 34925: "LZMA"
    case 34926, 50000: "Zstandard"
    case 34927, 50001: "WebP"
    case 34933: "PNG"
    case 50002, 52546: "JPEG XL"
    default: "compression \(tag)"
    }
  }
}
