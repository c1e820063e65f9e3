/// How wide a column of a table is, and may be.
struct TableColumn {
  /// As many columns as the widest of what is known so far takes.
  var natural: Int
  /// As few as it may be given: numbers are never cut, since a part of a number is another number.
  var least: Int
  /// As few as make it worth being shown where other columns have to be left out anyway.
  let readable: Int
  /// The width of the widest value that may not be cut.
  let numbers: Int
  /// As many as it has.
  var width: Int

  /// - Parameters:
  ///   - heading: the width of the column's name.
  ///   - values: the width of the widest value.
  ///   - numbers: the width of the widest value that may not be cut.
  init(heading: Int, values: Int, numbers: Int) {
    natural = max(heading, values)
    self.numbers = numbers
    least = max(numbers, min(natural, numbers == values ? Self.leastName : Self.leastText))
    readable = max(least, min(natural, Self.readableText))
    width = natural
  }

  /// The start of a word, and the mark that there is more.
  static let leastText = 6
  /// The same for the name of a column of numbers.
  private static let leastName = 4
  private static let readableText = 12
}
