import Repository

/// A row of which several are written together: all of a batch are there, or none.
struct Entry: Entity, Equatable {
  let id: Int
  var batch: Int
  var note: String

  static let schema = Schema(
    "entry", Entry.init, Column("id", \.id), Column("batch", \.batch, .indexed), Column("note", \.note))

  /// The three entries of a batch, by which the numbers of the batches are the thirds of theirs.
  static func batch(_ number: Int, note: String = "") -> [Entry] {
    (0..<3).map { Entry(id: number * 3 + $0, batch: number, note: note) }
  }
}
