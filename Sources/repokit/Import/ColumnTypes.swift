import Query

/// Types of columns as an option gives them: `code=text,weight=real`.
enum ColumnTypes {
  /// Reads an option.
  static func read(
    _ option: OptionDescription, of arguments: Arguments
  ) throws(Failure) -> [(column: String, type: ValueType)] {
    guard let pairs = try arguments.names(option) else { return [] }
    var types: [(column: String, type: ValueType)] = []
    for pair in pairs {
      // A name may hold an equals sign, a type does not.
      guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex else {
        throw arguments.command.misused(
          "\(option.name): \(TerminalText.quoted(pair)) gives no column a type",
          suggestion: "write a column, = and its type: code=text")
      }
      let column = String(pair[..<sign])
      let name = String(pair[pair.index(after: sign)...])
      guard let type = ValueType(rawValue: name) else {
        throw arguments.command.misused(
          "\(option.name): \(TerminalText.quoted(name)) is no type",
          suggestion: .among(ValueType.allCases.map(\.rawValue), nearestTo: name))
      }
      if types.contains(where: { $0.column.utf8.elementsEqual(column.utf8) }) {
        throw arguments.command.misused("\(option.name): \(column) stands there twice")
      }
      types.append((column, type))
    }
    return types
  }
}
