/// Names between commas, as an option lists them.
enum NameList {
  /// The names; `nil` for a text that is no list of them.
  ///
  /// Spaces around a name don't count. A name in double quotes may hold commas and spaces, and a quote that is written
  /// twice.
  static func parse(_ text: String) -> [String]? {
    var names: [String] = []
    var rest = text.unicodeScalars[...]
    while let name = name(from: &rest) {
      names.append(name)
      guard let separator = rest.popFirst() else { return names }
      if separator != "," { return nil }
    }
    return nil
  }

  /// Reads a name, up to the comma or the end behind it; `nil` where there is none.
  private static func name(from rest: inout Substring.UnicodeScalarView) -> String? {
    rest = rest.drop { $0 == " " }
    var name = String.UnicodeScalarView()
    if rest.first == "\"" {
      rest.removeFirst()
      while true {
        name.append(contentsOf: pop(&rest) { $0 != "\"" })
        if rest.popFirst() == nil { return nil }
        guard rest.first == "\"" else { break }
        name.append(rest.removeFirst())
      }
      rest = rest.drop { $0 == " " }
    } else {
      name.append(contentsOf: pop(&rest) { $0 != "," })
      while name.last == " " { name.removeLast() }
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func pop(
    _ rest: inout Substring.UnicodeScalarView, while belongs: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView {
    let part = rest.prefix(while: belongs)
    rest = rest[part.endIndex...]
    return part
  }
}
