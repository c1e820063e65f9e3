/// The deviations of a file of delimited text from a header and records of the same length.
package struct DelimitedLayout: Hashable, Sendable {
  /// The number of skipped lines before the header, or before the first record.
  package var skippedLineCount = 0
  /// The number of skipped lines at the end that are not empty.
  package var skippedEndLineCount = 0
  /// The first byte of lines that are skipped wherever a record could begin; `nil` if there are no such lines.
  package var comment: UInt8?
  /// Whether the first record names the columns; otherwise they are called `column1`, `column2` and so on.
  package var hasHeader = true
  /// Whether a record may have fewer fields than the header, so that the rest have no value, or more that are all empty.
  package var padsRecords = false
  /// Whether columns with an empty name, or with the name of an earlier column, are given other names.
  package var renamesColumns = false
  /// Whether blanks around names and fields are removed.
  package var trimsBlanks = false
  /// The character that begins and ends a text with a delimiter or a line end in it; `nil` if there is none.
  package var quote: UInt8? = .quote
  /// Whether a backslash before a quote or a backslash, within quotes, means that character.
  package var escapesQuotes = false

  /// Makes the layout of a header, and records of its length.
  package init() {}

  /// Returns unique names of columns: `column2` for an empty one, and `name_2` for the second `name`.
  func names(from header: [String]) -> [String] {
    guard renamesColumns else { return header }
    // Two spellings of "é" are two names, and `id` and `ID` one, as in databases.
    func key(_ name: String) -> [UInt8] {
      name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    }
    var taken = Set(header.map(key))
    var seen: Set<[UInt8]> = []
    return header.enumerated().map { index, name in
      if !name.isEmpty, seen.insert(key(name)).inserted { return name }
      var number = name.isEmpty ? index + 1 : 2
      while true {
        let candidate = name.isEmpty ? "column\(number)" : "\(name)_\(number)"
        if taken.insert(key(candidate)).inserted { return candidate }
        number += 1
      }
    }
  }
}

extension CSVDelimiter {
  /// The delimiters that are tried, the most common one first.
  private static let candidates: [CSVDelimiter] = [.comma, .semicolon, .tab, .pipe]

  /// The guessed delimiter of a file.
  package enum Guess: Hashable, Sendable {
    /// A delimiter by which the records have two fields or more, and nearly all of them equally many.
    case found(CSVDelimiter)
    /// No candidate occurs in the first record.
    case oneColumn
    /// A delimiter that occurs in the first record, but does not split the other records alike, or is no better than another
    /// candidate.
    case unclear(CSVDelimiter)
  }

  /// Guesses the delimiter from the start of a file: the candidate that splits most of the first records into as many fields
  /// as the first, and into the most.
  ///
  /// - Parameters:
  ///   - start: the first bytes of the file; an incomplete last record is ignored.
  ///   - isWhole: whether these bytes are the whole file.
  ///   - hasDecimalComma: whether a comma is more likely a part of a number.
  package static func guess(
    from start: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ layout: DelimitedLayout = DelimitedLayout(),
    hasDecimalComma: Bool = false, mostAtEnd: Int = 0
  ) -> Guess {
    var best: (delimiter: CSVDelimiter, alike: Double, fieldCount: Int)?
    var rival: CSVDelimiter?
    for candidate in hasDecimalComma ? candidates.dropFirst() + [.comma] : candidates[...]
    where candidate.byte != layout.quote {
      let all = fieldCounts(in: start, by: candidate, isWhole: isWhole, layout, countingErrors: mostAtEnd > 0)
      guard let first = all.first, first > 1 else { continue }
      let counts = all.dropLast(isWhole ? Self.endCount(all, atMost: mostAtEnd) : 0)
      let alike = Double(counts.count { $0 == first || layout.padsRecords && $0 < first }) / Double(counts.count)
      if let best, (best.alike, best.fieldCount) >= (alike, first) {
        if (best.alike, best.fieldCount) == (alike, first), !hasDecimalComma { rival = rival ?? candidate }
        continue
      }
      best = (candidate, alike, first)
      rival = nil
    }
    guard let best else { return .oneColumn }
    if let rival { return .unclear(rival) }
    // Some records may be split differently: not all files quote the texts that contain the delimiter.
    return best.alike >= 0.9 ? .found(best.delimiter) : .unclear(best.delimiter)
  }

  /// Guesses the delimiter of the records below lines of another kind, such as a title or the properties of an account.
  ///
  /// - Returns: the delimiter, the number of fields, the number of lines above the records and below them, and the names in
  ///   the header; `nil` if the records are not alike, or none follows their names.
  package static func guessBehindTitle(
    from start: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ layout: DelimitedLayout, hasDecimalComma: Bool
  ) -> (delimiter: CSVDelimiter, fieldCount: Int, lineCount: Int, endCount: Int, names: [String])? {
    for lineCount in 1...30 {
      var below = layout
      below.skippedLineCount += lineCount
      guard
        case .found(let delimiter) = guess(
          from: start, isWhole: isWhole, below, hasDecimalComma: hasDecimalComma, mostAtEnd: 5)
      else { continue }
      let counts = fieldCounts(in: start, by: delimiter, isWhole: isWhole, below)
      // The last lines of a long text may be alike by chance.
      if counts.count > 1, lineCount <= 3 || 4 * counts.count >= lineCount {
        return (
          delimiter, counts[0], lineCount, isWhole ? endCount(counts, atMost: 5) : 0,
          names(in: start, by: delimiter, isWhole: isWhole, below)
        )
      }
      if lineCount <= 3 { return nil }
    }
    return nil
  }

  /// Returns the number of records at the end that have another number of fields than the first.
  private static func endCount(_ counts: [Int], atMost limit: Int) -> Int {
    let count = counts.reversed().prefix { $0 != counts[0] }.count
    return count <= limit && 2 * count < counts.count ? count : 0
  }

  private static func names(
    in start: UnsafeBufferPointer<UInt8>, by delimiter: CSVDelimiter, isWhole: Bool, _ layout: DelimitedLayout
  ) -> [String] {
    let syntax = DelimitedSyntax.csv(delimiter, layout)
    var scanner = RecordScanner(syntax, layout, maximumFieldSize: .max)
    guard (try? scanner.next(in: start, isAtEnd: isWhole)) == .record else { return [] }
    let record = UnsafeBufferPointer(rebasing: start[scanner.recordStart...])
    var scratch = ScratchBytes()
    return scanner.fields.map { syntax.field($0, of: record, &scratch).field.text }
  }

  /// Returns the numbers of fields of the first records; a record with an error is left out, or counted as one without fields.
  private static func fieldCounts(
    in start: UnsafeBufferPointer<UInt8>, by delimiter: CSVDelimiter, isWhole: Bool, _ layout: DelimitedLayout,
    countingErrors: Bool = false
  ) -> [Int] {
    var scanner = RecordScanner(.csv(delimiter, layout), layout, maximumFieldSize: .max)
    var counts: [Int] = []
    var rest = start
    while counts.count < 200 {
      do throws(CSVError) {
        guard case .record = try scanner.next(in: rest, isAtEnd: isWhole) else { return counts }
        counts.append(scanner.fields.count)
      } catch {
        if RecordScanner.isBroken(by: error) { return counts }
        if countingErrors { counts.append(0) }
      }
      rest = UnsafeBufferPointer(rebasing: rest[scanner.consumed...])
    }
    return counts
  }

  /// The delimiter's name in messages.
  package var name: String {
    switch self {
    case .comma: "commas"
    case .semicolon: "semicolons"
    case .tab: "tabs"
    case .pipe: "vertical bars"
    default: "\"\(Character(UnicodeScalar(byte)))\""
    }
  }
}
