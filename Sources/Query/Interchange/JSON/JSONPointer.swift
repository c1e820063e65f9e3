/// Where a part of a JSON value stands, as RFC 6901 writes it: `/query/and/0/op`, and nothing for the whole.
enum JSONPointer {
  /// The path to a token. What is wrong with a field's name belongs to its object.
  ///
  /// - Parameters:
  ///   - index: the index of the token, which may be the one that is still to come.
  ///   - tokens: a whole value, or its beginning; containers that are not closed yet have a count of `Int.max`.
  static func path(to index: Int, in tokens: ArraySlice<JSONToken>) -> String {
    var path = ""
    var place = tokens.startIndex
    while place < index, place < tokens.endIndex, index < end(of: place, in: tokens) {
      let isObject = if case .object = tokens[place] { true } else { false }
      var child = place + 1
      var position = 0
      while child < index {
        let value = isObject ? child + 1 : child
        if value < tokens.endIndex, end(of: value, in: tokens) <= index {
          child = end(of: value, in: tokens)
          position += 1
          continue
        }
        if isObject, case .text(let name) = tokens[child] { path += "/" + escape(name) }
        break
      }
      if isObject {
        if child == index { return path }
        place = child + 1
      } else {
        path += "/\(position)"
        place = child
      }
    }
    return path
  }

  /// Where the value ends that begins at an index.
  private static func end(of index: Int, in tokens: ArraySlice<JSONToken>) -> Int {
    let (end, isOpen) = (index + 1).addingReportingOverflow(tokens[index].count)
    return isOpen ? .max : end
  }

  private static func escape(_ name: String) -> String {
    var escaped = ""
    for scalar in VisibleText.excerpt(of: Array(name.utf8)[...]).unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
