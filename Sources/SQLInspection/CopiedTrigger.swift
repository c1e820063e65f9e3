import Query

/// A trigger of a table that is copied, with what it needs besides.
struct CopiedTrigger {
  let name: String
  let statement: String
  /// The tables and views that it reads or writes, and that are not copied.
  let needed: [String]

  /// The triggers of a table, whose statements are the last ones of its definition.
  ///
  /// - Parameter others: the tables and views that are not copied.
  static func all(of definition: TableDefinition, others: [String]) -> [CopiedTrigger] {
    let count = definition.triggers.count
    guard definition.statements.count >= count, definition.normalForms.count >= count else { return [] }
    let statements = zip(definition.statements.suffix(count), definition.normalForms.suffix(count))
    return zip(definition.triggers, statements).map { name, statement in
      CopiedTrigger(
        name: name, statement: statement.0,
        needed: others.filter { other in words.contains { statement.1.contains(" \($0) \(normalForm(of: other)) ") } })
    }
  }

  /// The words before a table in a statement of a trigger, which names it without its schema.
  /// https://www.sqlite.org/lang_createtrigger.html
  private static let words =
    ["into", "from", "join", "update"]
    + ["abort", "fail", "ignore", "replace", "rollback"].map { "update or \($0)" }

  /// A name as the normal form of a statement has it, between blanks.
  private static func normalForm(of name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
          true
        default: byte >= 0x80
        }
      }
    return isPlain ? name.lowercased() : "\"\(name.lowercased().replacing("\"", with: "\"\""))\""
  }
}
