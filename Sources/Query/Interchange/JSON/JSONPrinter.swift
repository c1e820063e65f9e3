/// Writes a JSON text, in the order in which the tokens stand.
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

  /// Writes what stands between the token before and the next.
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
