import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Text in the legacy encodings of China, Japan and Korea, without any map to Unicode.
struct PredefinedCMapTests {
  private func shown(_ encoding: String, _ ordering: String, _ string: String) throws -> String {
    let page = FontPage.composite(
      encoding: "/\(encoding)", ordering: ordering, descendant: "/Subtype/CIDFontType0",
      showing: "<\(string)> Tj")
    let text = try text(page.file)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  @Test(
    arguments: [
      ("90ms-RKSJ-H", "93FA967B8CEA83658358836741", "日本語テストA"),
      ("90msp-RKSJ-H", "93FA967B8CEA41", "日本語A"), ("90pv-RKSJ-H", "93FA967B8CEA41", "日本語A"),
      ("83pv-RKSJ-H", "93FA967B8CEA", "日本語"), ("Add-RKSJ-H", "93FA967B8CEA", "日本語"),
      ("Ext-RKSJ-H", "93FA967B8CEA", "日本語"), ("90ms-RKSJ-H", "B1B2", "ｱｲ"),
      ("EUC-H", "C6FCCBDCB8ECA5C6A5B9A5C841", "日本語テストA"), ("EUC-H", "8EB18EB2", "ｱｲ"),
      ("H", "467C4B5C386C254625392548", "日本語テスト"),
      ("UniJIS-UTF16-H", "65E5672C8A9E30C630B930C8", "日本語テスト"),
      ("UniJIS-UTF16-H", "D842DFB7", "𠮷"), ("UniJIS-UCS2-H", "65E5672C8A9E", "日本語"),
      ("UniJIS-UCS2-HW-H", "65E5672C8A9E", "日本語"), ("UniJIS2004-UTF16-H", "65E5672C", "日本"),
    ])
  func `Japanese text is read`(encoding: String, string: String, expected: String) throws {
    #expect(try shown(encoding, "Japan1", string) == expected)
  }

  @Test(
    arguments: [
      ("GBK-EUC-H", "D6D0CEC4B2E2CAD441", "中文测试A"), ("GBK-EUC-H", "E946", "镕"),
      ("GB-EUC-H", "D6D0CEC4B2E2CAD441", "中文测试A"), ("GBpc-EUC-H", "D6D0CEC441", "中文A"),
      ("GBKp-EUC-H", "D6D0CEC4E946", "中文镕"), ("GBK2K-H", "D6D0CEC4E94641", "中文镕A"),
      ("GBK2K-H", "D6D08139EE3941", "中㐀A"),
      ("UniGB-UCS2-H", "4E2D65876D4B8BD5", "中文测试"),
      ("UniGB-UTF16-H", "4E2D65876D4B8BD5", "中文测试"),
    ])
  func `simplified Chinese text is read`(encoding: String, string: String, expected: String) throws
  {
    #expect(try shown(encoding, "GB1", string) == expected)
  }

  @Test(
    arguments: [
      ("ETen-B5-H", "A4A4A4E5B4FAB8D541", "中文測試A"), ("B5pc-H", "A4A4A4E541", "中文A"),
      ("HKscs-B5-H", "A4A4A4E541", "中文A"), ("ETenms-B5-H", "A4A4A4E541", "中文A"),
      ("CNS-EUC-H", "C4E3C5C641", "中文A"),
      ("UniCNS-UCS2-H", "4E2D65876E2C8A66", "中文測試"),
      ("UniCNS-UTF16-H", "4E2D65876E2C8A66", "中文測試"),
    ])
  func `traditional Chinese text is read`(
    encoding: String, string: String, expected: String
  ) throws {
    #expect(try shown(encoding, "CNS1", string) == expected)
  }

  @Test(
    arguments: [
      ("KSCms-UHC-H", "C7D1B1B9BEEEBDC3C7E841", "한국어시험A"),
      ("KSCms-UHC-H", "8C63B9E6B0A2C7CF", "똠방각하"), ("KSCms-UHC-HW-H", "C7D141", "한A"),
      ("KSC-EUC-H", "C7D1B1B9BEEE41", "한국어A"), ("KSCpc-EUC-H", "C7D1B1B9", "한국"),
      ("UniKS-UCS2-H", "D55CAD6DC5B4C2DCD5D8", "한국어시험"),
      ("UniKS-UTF16-H", "D55CAD6DC5B4C2DCD5D8", "한국어시험"),
    ])
  func `Korean text is read`(encoding: String, string: String, expected: String) throws {
    #expect(try shown(encoding, "Korea1", string) == expected)
  }

  @Test(
    arguments: [
      ("Japan1", "034B0022", "あA"), ("GB1", "0022", "A"), ("CNS1", "0022", "A"),
      ("Korea1", "0022", "A"),
    ])
  func `the identity gives CIDs of the collection`(
    ordering: String, string: String, expected: String
  ) throws {
    #expect(try shown("Identity-H", ordering, string) == expected)
  }

  @Test func `a string that ends inside a code is no trap`() throws {
    for encoding in ["90ms-RKSJ-H", "GBK-EUC-H", "UniJIS-UTF16-H", "Identity-H", "EUC-H"] {
      _ = try shown(encoding, "Japan1", "93")
      _ = try shown(encoding, "Japan1", "D842")
      _ = try shown(encoding, "Japan1", "D842DF")
    }
  }

  @Test func `half a surrogate pair is unknown`() throws {
    #expect(try shown("UniJIS-UTF16-H", "Japan1", "D842004100410042") == "\u{FFFD}AB")
  }
}
