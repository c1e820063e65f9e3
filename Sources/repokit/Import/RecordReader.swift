/// Reads the records of one input from its start, one at a time.
protocol RecordReader: AnyObject {
  /// The names of the columns; where every record has names of its own, those that were found so far.
  var names: [String] { get }
  /// The line where the current record starts.
  var line: Int { get }
  /// How many bytes of the input have been read.
  var offset: Int { get }

  /// Goes to the next record.
  ///
  /// - Returns: whether there is one.
  /// - Throws: ``BadRow`` where the next call goes on behind it, and ``Failure`` where nothing can be told of what follows.
  func next() throws -> Bool

  /// A field of the current record, by the position of its name.
  func field(at position: Int) -> ImportField
}

/// A record that can't be imported; others can.
struct BadRow: Error {
  let failure: Failure
}
