/// What may be wrong in a schema of many columns, in a call or in a block.
enum SchemaMistake: CaseIterable {
  case none, missing, lastMissing, twoMissing, oneMore, inAnotherOrder, misspelled, ofAnotherType

  /// A model type with that many columns beside its key, and the line on which the compiler is to find what is wrong; `nil`
  /// where that is no line of a column.
  ///
  /// - Parameters:
  ///   - count: the number of columns.
  ///   - types: their types in turn.
  ///   - isBlock: whether each column is a statement.
  func model(
    columns count: Int, of types: [String] = ["Int", "String", "Double?", "Bool", "Date"], inBlock isBlock: Bool = false
  ) -> (source: String, line: Int?) {
    let names = (1...count).map { "p\($0)" }
    var columns = names.map { #"Column("\#($0)", \.\#($0))"# }
    let middle = count / 2
    switch self {
    case .none: break
    case .missing: columns.remove(at: middle)
    case .lastMissing: columns.removeLast()
    case .twoMissing: columns.removeSubrange(middle...middle + 1)
    case .oneMore: columns.append(#"Column("again", \.p1)"#)
    case .inAnotherOrder: columns.swapAt(middle, middle + 1)
    case .misspelled: columns[middle] = #"Column("q", \.q)"#
    case .ofAnotherType: columns[middle] = #"Column("tags", \.tags)"#
    }
    let header = """
      import Foundation
      import Repository

      struct Wide: Entity {
        let id: Int
        \(names.enumerated().map { "var \($1): \(types[$0 % types.count])" }.joined(separator: "\n  "))
        var tags: [String] { [] }
        static let schema = Schema\(isBlock ? "<Wide>" : "")(
      \(isBlock ? #"table: "wide") { Parameters(of: Wide.init)"# : #""wide", Wide.init,"#)
          Column("id", \\.id)\(isBlock ? "" : ",")

      """
    let isInColumn =
      [.inAnotherOrder, .misspelled, .ofAnotherType].contains(self)
      || isBlock && [.missing, .twoMissing].contains(self)
    return (
      header + columns.joined(separator: isBlock ? "\n" : ",\n") + (isBlock ? "}\n}\n" : ")\n}\n"),
      isInColumn ? header.split(separator: "\n", omittingEmptySubsequences: false).count + middle : nil
    )
  }

  /// What the compiler says of a block; `nil` where there is nothing to say.
  var messageInBlock: String? {
    switch self {
    case .none: nil
    case .missing, .twoMissing, .inAnotherOrder: "cannot convert value of type 'Column<Wide, "
    case .lastMissing: "columns are missing: the last parameters of the initialiser have no columns"
    case .oneMore: "the schema has more columns than the initialiser has parameters"
    case .misspelled: "value of type 'Wide' has no member 'q'"
    case .ofAnotherType: "requires the types 'String' and 'UInt8' be equivalent"
    }
  }

  /// What the compiler says; `nil` where there is nothing to say.
  func message(columns: Int) -> String? {
    switch self {
    case .none: nil
    case .missing, .lastMissing:
      "a column is missing: the initialiser has one parameter more than the schema has columns"
    case .twoMissing: "missing argument"
    // Of a few columns it lists the types: "cannot convert value of type '@Sendable (Int, …) -> Wide' to expected …".
    case .oneMore: columns > 16 ? "extra argument" : " argument"
    case .inAnotherOrder: "cannot convert value of type 'KeyPath<Wide,"
    case .misspelled: "value of type 'Wide' has no member 'q'"
    case .ofAnotherType: "cannot convert value of type 'KeyPath<Wide, Array<String>>'"
    }
  }
}
