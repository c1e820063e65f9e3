/// The record that is being read: its fields so far, and the header it has to fit, if there is one.
struct OpenRecord {
  private var fields: [CSVField] = []
  private var fieldCount = 0
  private var line = 1

  /// The number of fields of the first record.
  private(set) var firstFieldCount: Int?

  private var header: [String]?
  private var keptFieldCount = Int.max

  /// The indices of the fields whose positions are kept in `fieldPlaces`.
  private var trackedFields = 0..<0
  private(set) var fieldPlaces: [Place] = []

  /// Keeps the position of every field of the first record, for errors about names in the header.
  mutating func trackFields() {
    trackedFields = 0..<Int.max
  }

  /// Demands of every further record as many fields as the header has.
  mutating func expect(_ header: [String]) {
    self.header = header
    keptFieldCount = header.count
    // Where a record has too many fields, the error reports the position of the first one too many.
    trackedFields = header.count..<header.count + 1
    fieldPlaces = []
  }

  mutating func begin(line: Int) {
    self.line = line
  }

  /// Whether the position of the next field is kept.
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
  /// - Parameter end: The position of its line end, computed only when it is needed.
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

/// The field that is being read: where it starts, and as much of its text as cannot be taken from the current chunk.
struct OpenField {
  /// The most bytes a field's text may have.
  let limit: Int
  private(set) var isQuoted = false

  /// The offset of the first byte in the current chunk, unless `savedPlace` is set.
  private var start = 0
  private var savedPlace: Place?

  /// The text up to the last chunk or the last doubled quote.
  ///
  /// It stays empty for most fields, whose text is one piece of a chunk.
  private var pieces: [UInt8] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func begin(at offset: Int, isQuoted: Bool) {
    start = offset
    savedPlace = nil
    self.isQuoted = isQuoted
  }

  func place(in chunk: Span<UInt8>, _ tracker: PlaceTracker) -> Place {
    savedPlace ?? tracker.place(at: start, in: chunk)
  }

  /// Computes the field's position while its line is still in reach of the tracker.
  mutating func savePlace(in chunk: Span<UInt8>, _ tracker: PlaceTracker) {
    savedPlace = place(in: chunk, tracker)
  }

  mutating func append(_ piece: Span<UInt8>) {
    piece.withUnsafeBufferPointer { pieces.append(contentsOf: $0) }
  }

  mutating func append(_ byte: UInt8) {
    pieces.append(byte)
  }

  func checkSize(in chunk: Span<UInt8>, _ tracker: PlaceTracker) throws(CSVError) {
    guard pieces.count <= limit else { throw .fieldTooLarge(limit: limit, at: place(in: chunk, tracker)) }
  }

  /// The text of the field, which ends with the given range of the chunk.
  ///
  /// - Throws: ``CSVError/Code-swift.struct/fieldTooLarge`` or ``CSVError/Code-swift.struct/invalidUTF8``.
  mutating func finish(
    _ last: Range<Int>, in chunk: Span<UInt8>, _ tracker: PlaceTracker
  ) throws(CSVError) -> String {
    if pieces.isEmpty {
      if last.isEmpty { return "" }
      let piece = chunk.extracting(last)
      guard piece.count <= limit else { throw .fieldTooLarge(limit: limit, at: place(in: chunk, tracker)) }
      if let text = piece.withUnsafeBufferPointer(Self.text) { return text }
      append(piece)
      throw .invalidUTF8(at: placeOfInvalidByte(from: place(in: chunk, tracker)))
    }
    append(chunk.extracting(last))
    try checkSize(in: chunk, tracker)
    guard let text = pieces.withUnsafeBufferPointer(Self.text) else {
      throw .invalidUTF8(at: placeOfInvalidByte(from: place(in: chunk, tracker)))
    }
    // One large field must not hold its memory for the rest of the file.
    pieces.removeAll(keepingCapacity: pieces.capacity <= 1 << 16)
    return text
  }

  /// The bytes as text, or `nil` when they are not UTF-8.
  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
    // Most fields are ASCII, of which any sequence is valid; to decode it costs a third of what to validate costs.
    let union = bytes.reduce(0, |)
    return union < 0x80 ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// Walks over the text once more, as the file has it, up to the first bytes that are no character.
  private func placeOfInvalidByte(from start: Place) -> Place {
    var place = start
    var previous: Unicode.Scalar?
    if isQuoted { place.column += 1 }
    var bytes = pieces.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    while case .valid(let encoded) = parser.parseScalar(from: &bytes) {
      let scalar = Unicode.UTF8.decode(encoded)
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": place = Place(line: place.line + 1, column: 1)
      case "\"": place.column += 2  // In the file it is doubled.
      default: place.column += 1
      }
      previous = scalar
    }
    return place
  }
}
