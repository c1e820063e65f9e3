import Query

/// The units of the numbers in some columns, over all files of an import.
///
/// A number without a unit may be beside numbers in a currency. Beside percentages only zero may: 0.5 could be half or 0.5%.
final class NumberUnits {
  /// A number of a file, for messages.
  struct Example {
    let unit: String
    let text: String
    let file: String
    let line: Int

    /// The unit as a message names it.
    var description: String { unit.isEmpty ? "no unit" : "the unit \(unit)" }
  }

  /// The units of one column.
  struct Column {
    private let name: String
    /// The first number with a unit.
    private(set) var united: Example?
    /// The first number other than zero that has no unit.
    private var bare: Example?

    init(_ name: String) { self.name = name }

    /// Takes a number into account.
    ///
    /// - Parameter example: makes the description of the number.
    /// - Returns: the earlier number whose unit is another one; `nil` if there is none.
    mutating func take(unit: String, isZero: Bool, _ example: () -> Example) -> Example? {
      if unit.isEmpty {
        if isZero { return nil }
        if let united, united.unit == "%" { return united }
        if bare == nil { bare = example() }
        return nil
      }
      if let united { return united.unit == unit ? nil : united }
      if unit == "%", let bare { return bare }
      united = example()
      return nil
    }

    /// A note for rows that are added to a table, which keeps numbers without their unit; `nil` if the files have no unit.
    func note(of table: String) -> String? {
      united.map {
        "\(shortName(name)) of \(table) stores numbers without a unit, but the numbers of \($0.file) have "
          + "\($0.description), such as \(quoted($0.text)) in line \($0.line)"
      }
    }
  }

  /// The columns that were asked for, and their positions by name.
  var columns: [Column] = []
  private var positions: [[UInt8]: Int] = [:]

  /// Returns the position of a column by its name; the case of letters is ignored, as databases do.
  func position(of name: String) -> Int {
    let key = Name(name).folded
    if let position = positions[key] { return position }
    columns.append(Column(name))
    positions[key] = columns.count - 1
    return columns.count - 1
  }

  /// The notes for rows that are added to a table.
  func notes(of table: String) -> [String] { columns.compactMap { $0.note(of: table) } }
}
