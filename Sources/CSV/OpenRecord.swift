/// The record that is being read: its fields so far, and the header it has to fit, if there is one.
struct OpenRecord {
  private var fields: [CSVField] = []
  private var fieldCount = 0
  private var line = 1

  /// How many fields the first record had.
  private(set) var firstFieldCount: Int?

  private var header: [String]?
  private var keptFieldCount = Int.max

  /// The indices of the fields whose places are kept in `fieldPlaces`.
  private var trackedFields = 0..<0
  private(set) var fieldPlaces: [Place] = []

  /// Keeps the place of every field of the first record, for errors about names in the header.
  mutating func trackFields() {
    trackedFields = 0..<Int.max
  }

  /// Demands of every further record as many fields as the header has.
  mutating func expect(_ header: [String]) {
    self.header = header
    keptFieldCount = header.count
    // Where a record has too many fields, the place of the first one too many is wanted.
    trackedFields = header.count..<header.count + 1
    fieldPlaces = []
  }

  mutating func begin(line: Int) {
    self.line = line
  }

  /// Whether the place of the field that begins is wanted.
  var tracksNextField: Bool {
    trackedFields.contains(fieldCount)
  }

  mutating func track(_ place: Place) {
    fieldPlaces.append(place)
  }

  mutating func append(_ field: CSVField) {
    fieldCount += 1
    // What is too much is counted, but not kept.
    if fieldCount <= keptFieldCount { fields.append(field) }
  }

  /// Closes the record and makes room for the next one.
  ///
  /// - Parameter end: The place of its line end, counted only when it is wanted.
  /// - Returns: The record.
  /// - Throws: ``CSVError/Code-swift.struct/wrongFieldCount``.
  mutating func finish(at end: @autoclosure () -> Place) throws(CSVError) -> CSVRecord {
    defer {
      fieldCount = 0
      fields = []
      fields.reserveCapacity(firstFieldCount ?? 0)
    }
    if let header, fieldCount != header.count {
      guard let place = fieldPlaces.first else {
        throw .tooFewFields(fieldCount, header: header, at: end())
      }
      fieldPlaces = []
      throw .tooManyFields(fieldCount, header: header, at: place)
    }
    if firstFieldCount == nil { firstFieldCount = fieldCount }
    return CSVRecord(fields: fields, line: line)
  }
}
