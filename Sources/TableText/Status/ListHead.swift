internal import PDFText

/// The line above a list that names its columns, with the lines it is wrapped over.
struct ListHead {
  private var lines: [TextLine] = []

  /// - Parameters:
  ///   - top: the middle of the first row.
  ///   - size: of the letters of the rows.
  init(_ lines: [[PlacedWord]], above top: Double, size: Double) {
    let above = lines.compactMap { words -> TextLine? in
      // Most lines are rows: they are passed over before anything is made of them.
      guard let first = words.first?.box.middleY, first < top, first > top - 7 * size,
        let line = TextLine(words), line.middle < top - Measures.otherLine * size,
        line.middle > top - Measures.headAbove * size
      else { return nil }
      return line
    }
    // Titles are of one piece, heads of as many as there are columns.
    guard
      let main = above.indices.max(by: { above[$0].pieces.count <= above[$1].pieces.count })
    else { return }
    self.lines = [above[main]]
    for line in above[..<main].reversed() {
      guard line.pieces.count > 1, isNext(line, self.lines[0]) else { break }
      self.lines.insert(line, at: 0)
    }
    for line in above[(main + 1)...] {
      guard isNext(self.lines[self.lines.count - 1], line) else { break }
      self.lines.append(line)
    }
  }

  private func isNext(_ above: TextLine, _ below: TextLine) -> Bool {
    below.middle - above.middle < Measures.nextLineOfHead * max(above.size, below.size)
  }

  /// What stands above each of the columns, in small letters; empty above one that has no name.
  func names(of columns: [ClosedRange<Double>]) -> [String] {
    var names = [String](repeating: "", count: columns.count)
    for line in lines {
      for piece in line.pieces {
        let place = columns.indices.max { piece.overlap(columns[$0]) < piece.overlap(columns[$1]) }
        guard let place, piece.overlap(columns[place]) > 0 else { continue }
        if !names[place].isEmpty { names[place] += " " }
        names[place] += piece.text.lowercased()
      }
    }
    return names
  }
}

/// What the heads of columns say, in the languages of such lists.
enum HeadWords {
  static func isStatus(_ name: String) -> Bool { status.contains { name.contains($0) } }

  /// How surely a column of numbers is that of the rows: 1 for the case's own, 0 where nothing is said, -1 for that of
  /// something else.
  static func numberRank(_ name: String) -> Int {
    if otherNumber.contains(where: { name.contains($0) }) { return -1 }
    return ownNumber.contains { name.contains($0) } ? 1 : 0
  }

  private static let otherNumber = [
    "ref", "réf", "previous", "earlier", "former", "old n", "parent", "related", "linked", "family",
    "früher", "bezug", "bezieh", "vorherig", "ancien", "précédent", "anterior",
    "precedente", "vorige", "tidigere", "tidigare", "poprzedn", "předchoz", "предыдущ", "попередн",
    "önceki", "passport", "receipt", "phone", "invoice", "quittung", "rechnung", "telefon",
  ]

  private static let ownNumber = [
    "applic", "case", "batch", "file n", "antrag", "vorgang", "aktenz", "geschäftsz", "charge",
    "demande", "dossier", "solicitud", "expediente", "domanda", "pratica", "pedido", "processo",
    "aanvra", "zaak", "ansøg", "ansök", "sagsn", "ärende", "wniosk", "spraw", "žádost", "заяв",
    "дела", "справ", "başvuru", "dosya", "αίτησ", "طلب", "בקשה", "申請", "申请", "신청",
  ]

  /// How surely a column of dates is that of the status: 2 for the day of a decision, 1 for a date,
  /// 0 where nothing is said, -1 for the day on which something else happened.
  static func dateRank(_ name: String) -> Int {
    if decision.contains(where: { name.contains($0) }) { return 2 }
    if otherDay.contains(where: { name.contains($0) }) { return -1 }
    return date.contains { name.contains($0) } ? 1 : 0
  }

  private static let status = [
    "status", "stand", "stato", "estado", "état", "statut", "stav", "stan", "durum", "situação",
    "статус", "состояние", "стан", "κατάσταση", "الحالة", "סטטוס", "状态", "狀態", "状況", "상태",
    "decision", "entscheidung", "décision", "result", "ergebnis", "tila", "állapot", "стату",
  ]

  private static let decision = [
    "decision", "decided", "updated", "status", "entscheid", "beschluss", "décision", "decisión",
    "resoluc", "decisione", "decisão", "beslut", "besluit", "decyzj", "rozhodnut", "решени",
    "рішенн", "karar", "päätös", "határozat", "απόφασ", "قرار", "החלטה", "决定", "決定", "결정",
  ]

  private static let otherDay = [
    "received", "receipt", "submi", "applic", "applied", "lodged", "birth", "valid", "expir",
    "appointment", "eingang", "eingereicht", "antrag", "geburt", "gültig", "termin", "reçu",
    "récept", "dépôt", "demande", "naissance", "recib", "recep", "solicitud", "nacimiento",
    "presenta", "ricev", "domanda", "nascita", "receb", "pedido", "nascimento", "ontvang",
    "aanvra", "geboorte", "modtag", "mottag", "ansök", "ansøg", "fødsel", "födel", "otrzym",
    "wniosk", "złoż", "urodz", "přijat", "podán", "narozen", "получ", "подач", "рожд", "отрим",
    "народж", "başvuru", "doğum", "syntym", "saapu", "született", "γέννησ", "αίτησ", "ميلاد",
    "طلب", "לידה", "出生", "受付", "申請", "申请", "생년", "신청",
  ]

  private static let date = [
    "date", "datum", "fecha", "data", "dato", "дата", "tarih", "päiv", "dátum", "kelt", "ημερ",
    "تاريخ", "תאריך", "日期", "日付", "날짜", "kuupäev", "dată", "dată",
  ]
}
