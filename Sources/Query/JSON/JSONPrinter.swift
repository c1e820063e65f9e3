import ErrorDetails

/// A writer of JSON texts, token by token.
struct JSONPrinter {
  private struct Container {
    let end: Int
    let isObject: Bool
    var isName: Bool
    var isEmpty = true
  }

  private var output: [UInt8] = []
  private var open: [Container] = []

  static func print(_ value: JSONValue) -> String {
    var printer = JSONPrinter()
    printer.write(value.tokens)
    return String(decoding: printer.output, as: UTF8.self)
  }

  private mutating func write(_ tokens: ArraySlice<JSONToken>) {
    for (index, token) in zip(tokens.indices, tokens) {
      separate()
      switch token {
      case .null: output += "null".utf8
      case .boolean(let boolean): output += (boolean ? "true" : "false").utf8
      case .integer(let integer): output += integer.description.utf8
      case .real(let real): output += (real.isFinite ? real.description : "null").utf8
      case .text(let text): JSONString.append(text, to: &output)
      case .array(let count):
        output.append(UInt8(ascii: "["))
        open.append(Container(end: index + count, isObject: false, isName: false))
      case .object(let count):
        output.append(UInt8(ascii: "{"))
        open.append(Container(end: index + count, isObject: true, isName: false))
      }
      while let container = open.last, container.end == index {
        output.append(UInt8(ascii: container.isObject ? "}" : "]"))
        open.removeLast()
      }
    }
  }

  /// Writes the separator between the previous token and the next.
  private mutating func separate() {
    guard var container = open.popLast() else { return }
    if container.isObject { container.isName.toggle() }
    if container.isObject, !container.isName {
      output.append(UInt8(ascii: ":"))
    } else if !container.isEmpty {
      output.append(UInt8(ascii: ","))
    }
    container.isEmpty = false
    open.append(container)
  }
}

/// Texts as JSON strings.
package enum JSONString {
  /// Appends a text in quotes; only the characters that have to be escaped are escaped (RFC 8259, section 7).
  package static func append(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0A: output += "\\n".utf8
      case 0..<0x20:
        output += "\\u00".utf8
        Hexadecimal.append([byte], to: &output)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension JSONPointer {
  /// Returns the path to a token, such as `/query/and/0/op`, and an empty one to the whole. An error in a field's name is reported for its object.
  ///
  /// - Parameters:
  ///   - index: the index of the token, which may be the next one to be read.
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
        if isObject, case .text(let name) = tokens[child] {
          path += "/" + escaped(VisibleText.excerpt(of: Array(name.utf8)[...]))
        }
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

  /// Returns the end of the value that begins at an index.
  private static func end(of index: Int, in tokens: ArraySlice<JSONToken>) -> Int {
    let (end, isOpen) = (index + 1).addingReportingOverflow(tokens[index].count)
    return isOpen ? .max : end
  }
}
