import CSV

/// A reader of the records of one input from its start, one at a time.
package protocol RecordReader: AnyObject {
  /// The names of the columns; if every record has names of its own, those that were found so far.
  var names: [String] { get }
  /// The line where the current record starts.
  var line: Int { get }
  /// The number of bytes of the input that have been read.
  var offset: Int { get }

  /// Advances to the next record.
  ///
  /// - Returns: whether there is one.
  /// - Throws: ``BadRow`` if the next call can continue after the record, and ``ImportError`` if reading can't continue.
  func next() throws -> Bool

  /// Returns a field of the current record, by the position of its name.
  func field(at position: Int) -> ImportField

  /// Returns whether the current record has a field of a name, even a null one.
  func hasField(at position: Int) -> Bool
}

/// A field of a record, which points into the reader's memory: valid until the reader advances.
package struct ImportField {
  /// The type of the field, as far as the file's format has types.
  package enum Kind {
    /// No value.
    case absent
    /// A text that may represent any type, as in CSV.
    case untyped
    /// A text and nothing else.
    case string
    /// A number as it is spelled.
    case number
    /// `1` or `0` for true and false.
    case boolean
    /// A list or an object, as JSON.
    case nested
  }

  package let kind: Kind
  /// The text of the field, in UTF-8.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether an untyped text was in quotes, which makes an empty text a value.
  var isQuoted = false
  /// The style of a number in the field.
  var numberStyle = NumberStyle.plain

  package static var absent: ImportField {
    ImportField(kind: .absent, bytes: UnsafeBufferPointer(start: nil, count: 0))
  }

  package init(kind: Kind, bytes: UnsafeBufferPointer<UInt8>) {
    self.kind = kind
    self.bytes = bytes
  }

  init(_ field: RawField, _ numberStyle: NumberStyle) {
    kind = field.isAbsent ? .absent : .untyped
    bytes = field.bytes
    isQuoted = field.isQuoted
    self.numberStyle = numberStyle
  }

  package var isAbsent: Bool { kind == .absent }
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The names of the fields of records that have names of their own, each with its position.
package final class RecordNames {
  /// The maximum number of columns for which SQLite can be built: https://www.sqlite.org/limits.html#max_column
  static let maximumCount = 32_767

  package private(set) var names: [String]
  private var positions: [[UInt8]: Int] = [:]
  /// Finds the position of an unknown name; `nil` if the name is a new one.
  private let find: (String) throws(ImportError) -> Int?

  /// Names that are found as records are read.
  package init() {
    names = []
    find = { _ throws(ImportError) in nil }
  }

  /// A fixed set of names.
  ///
  /// - Parameter find: finds the position of a name in another spelling, or says what is wrong with it.
  package init(_ names: [String], find: @escaping (String) throws(ImportError) -> Int?) {
    self.names = names
    self.find = find
    for (position, name) in names.enumerated() { positions[Array(name.utf8)] = position }
  }

  /// Returns the position of a name; a new name is added.
  func position(of bytes: UnsafeBufferPointer<UInt8>) throws(ImportError) -> Int {
    let key = Array(bytes)
    if let position = positions[key] { return position }
    let name = String(decoding: bytes, as: UTF8.self)
    let position: Int
    if let known = try find(name) {
      position = known
    } else {
      if names.count == Self.maximumCount {
        throw ImportError(
          "the file has more than \(Self.maximumCount) names", details: ["SQLite tables can't have as many columns"])
      }
      position = names.count
      names.append(name)
    }
    positions[key] = position
    return position
  }

  /// Returns whether a name is the one at a position; cheaper than searching for it.
  func isName(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < names.count && names[position].utf8.elementsEqual(bytes)
  }
}

/// A reader of delimited text, whose first line names the columns.
final class DelimitedRecordReader: RecordReader {
  private let file: String
  private let window: ByteWindow
  private let reader: RawRecordReader
  private let numberStyle: NumberStyle
  /// Whether records without any value are left out.
  private let skipsEmptyRecords: Bool
  private let nullTexts: Set<[UInt8]>
  private let trimsBlanks: Bool
  private let hasHeader: Bool
  private let skippedLineCount: Int
  /// The number of those that were left out so far.
  private(set) var emptyCount = 0

  init(
    _ window: ByteWindow, _ syntax: DelimitedSyntax, _ options: DelimitedOptions, of file: String
  ) throws(ImportError) {
    (self.file, self.window, numberStyle) = (file, window, options.numberStyle)
    skipsEmptyRecords = options.layout.padsRecords
    nullTexts = options.nullTexts
    trimsBlanks = options.layout.trimsBlanks
    hasHeader = options.layout.hasHeader
    skippedLineCount = options.layout.skippedLineCount
    do throws(CSVError) {
      reader = try RawRecordReader(window, syntax, options.layout, maximumColumnCount: RecordNames.maximumCount)
    } catch {
      if error.code == .noHeader, skippedLineCount > 0 {
        throw ImportError(
          "\(file) has no line for the names of the columns",
          details: [
            skippedLineCount == 1
              ? "--skip-lines skips the only line" : "--skip-lines \(skippedLineCount) skips the whole file"
          ])
      }
      let isHeader = error.code == .emptyHeader || error.code == .duplicateHeader
      let advice = LayoutAdvice(window.bytes, isWhole: window.isAtEnd, options)
      throw isHeader
        ? advice.title().reduce(ImportError(error, in: file)) { $0.adding($1) } : ImportError(error, in: file)
    }
  }

  var names: [String] { reader.header }
  var line: Int { reader.line }
  var offset: Int { window.offset }

  func next() throws -> Bool {
    do throws(CSVError) {
      while try reader.next() {
        if !skipsEmptyRecords || !EmptyRecords.isEmpty(self) { return true }
        emptyCount += 1
      }
      return false
    } catch {
      // A header of one column above longer records is more likely a title.
      let isTitle = error.code == .wrongFieldCount && names.count == 1
      let failure = ImportError(error, in: file).adding(
        isTitle ? "--skip-lines \(skippedLineCount + 1) skips a line above the header, such as a title" : nil)
      throw reader.isBroken ? failure as any Error : BadRow(error: failure)
    }
  }

  func field(at position: Int) -> ImportField {
    var field = reader.field(at: position)
    if trimsBlanks, !field.isAbsent {
      let bytes = UnsafeBufferPointer(rebasing: field.bytes.trimmingBlanks())
      if bytes.isEmpty, !field.isQuoted { return .absent }
      field = field.with(bytes)
    }
    if !nullTexts.isEmpty, !field.isAbsent, nullTexts.contains(Array(field.bytes)) { return .absent }
    return ImportField(field, numberStyle)
  }

  /// The note on a first line that looks like a row rather than the names of columns.
  var headerNote: String? {
    guard hasHeader, let name = names.first(where: Self.isValue) else { return nil }
    return "the header of \(file) has the value \(quoted(name)); --no-header reads the first line as a row"
  }

  /// Returns whether a name is a value: a number that is not a year, a date, a time, or the null of other programs.
  private static func isValue(_ name: String) -> Bool {
    var name = name
    if name == "\\N" || hasInstant(name) { return true }
    if name.withUTF8({ NumberSyntax($0) }) == .none { return false }
    return Int(name).map { !(1_000...2_999).contains($0) } ?? true
  }

  /// Returns whether a text contains a day, as in 2024-01-31 and 31/Jan/2024, or a time of the day with seconds.
  private static func hasInstant(_ text: String) -> Bool {
    let shape = String(
      text.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "0"..."9": "0"
        case "a"..."z", "A"..."Z": "a"
        default: Character(scalar)
        }
      })
    return ["0000-00-00", "00/aaa/0000", "00:00:00"].contains(where: shape.contains)
  }

  func hasField(at position: Int) -> Bool { true }
}
