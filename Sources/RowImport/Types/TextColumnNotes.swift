import ErrorDetails

/// The notes on columns of numbers or dates that are text: a line for each, or one for many columns with the same reason.
struct TextColumnNotes {
  private struct Group {
    /// What the notes of the group have in common.
    let kind: String
    var names: [String]
    var notes: [String]
    /// The text of a note on several columns, before their number and behind it.
    let shared: String
  }

  /// The maximum number of columns of one reason that have a line each.
  private static let maximumLines = 3

  private var groups: [Group] = []

  /// Adds a column that an option would read as numbers or dates.
  mutating func add(_ name: String, advice: String) {
    let option = advice.split(separator: ", such as ").first.map(String.init) ?? advice
    add(name, "\(shortName(name)) is text; \(advice)", kind: option, shared: "text; \(advice)")
  }

  /// Adds a column with a value that is not a number or a date.
  mutating func add(_ name: String, reason: String) {
    let ending = " is not a number"
    let value = reason.hasSuffix(ending) ? String(reason.dropLast(ending.count)) : nil
    add(
      name, "\(shortName(name)) is text, because \(reason)", kind: value == nil ? "\(name): \(reason)" : ending,
      shared: "text because of values that are not numbers, such as \(value ?? "")")
  }

  private mutating func add(_ name: String, _ note: String, kind: String, shared: String) {
    if let position = groups.firstIndex(where: { $0.kind == kind }) {
      groups[position].names.append(name)
      groups[position].notes.append(note)
    } else {
      groups.append(Group(kind: kind, names: [name], notes: [note], shared: shared))
    }
  }

  var notes: [String] {
    groups.flatMap { group in
      group.notes.count <= Self.maximumLines
        ? group.notes
        : ["\(group.notes.count) columns are \(group.shared); the columns are \(VisibleText.names(group.names))"]
    }
  }
}
