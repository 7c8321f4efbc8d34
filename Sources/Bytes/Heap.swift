/// A queue that gives its least element first: inserting and removing take time logarithmic in their number.
package struct Heap<Element: Comparable> {
  /// No element is less than its parent, which is at half its place.
  private var elements: [Element] = []

  package var count: Int { elements.count }
  package var first: Element? { elements.first }

  package init() {}

  package mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[place] < elements[(place - 1) / 2] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  @discardableResult
  package mutating func removeFirst() -> Element? {
    guard let first = elements.first else { return nil }
    elements[0] = elements[elements.count - 1]
    elements.removeLast()
    var place = 0
    while true {
      let children = [place * 2 + 1, place * 2 + 2].filter { $0 < elements.count }
      guard let least = children.min(by: { elements[$0] < elements[$1] }),
        elements[least] < elements[place]
      else { return first }
      elements.swapAt(place, least)
      place = least
    }
  }
}

extension Heap: Sendable where Element: Sendable {}
