import ErrorDetails
import CSV
import Query

/// The conversion of numbers with a currency, a percent sign or parentheses in some columns.
struct NumberConversion: RecordConversion {
  /// A number is never longer than its field.
  static let room = SignedNumber.maximumByteCount

  private let file: String
  let columns: [Int]
  private let units: NumberUnits
  /// The position of each of the columns among the units.
  private let unitPositions: [Int]

  /// - Parameters:
  ///   - numbers: the names of the columns.
  ///   - names: the names of all columns of the file.
  ///   - units: the units that the files of the import have so far.
  /// - Throws: ``ImportError`` where one is not there.
  init(in numbers: [String], among names: [String], _ units: NumberUnits, of file: String) throws(ImportError) {
    (self.file, self.units) = (file, units)
    columns = try numbers.map { name throws(ImportError) in
      if let position = names.firstIndex(where: { Name($0) == name }) { return position }
      throw ImportError(
        "--numbers: no column \(shortName(name)) in \(file)",
        details: [
          NearestName.nearest(to: name, in: names).map { "did you mean \(shortName($0))?" }
            ?? "the columns are \(VisibleText.names(names))"
        ], isUsageError: true)
    }
    unitPositions = columns.map { units.position(of: names[$0]) }
  }

  func text(for field: ImportField, of column: Int, in reader: any RecordReader) throws -> String? {
    if field.kind != .untyped || field.bytes.isEmpty { return nil }
    let name = { reader.names[columns[column]] }
    guard let signed = SignedNumber(field.bytes), let number = signed.number(in: field.numberStyle) else {
      throw noNumber(field, in: name(), line: reader.line)
    }
    let example = { NumberUnits.Example(unit: signed.unit, text: field.text, file: file, line: reader.line) }
    if let other = units.columns[unitPositions[column]].take(unit: signed.unit, isZero: signed.isZero, example) {
      throw otherUnit(example(), than: other, in: name())
    }
    return number
  }

  private func otherUnit(_ number: NumberUnits.Example, than other: NumberUnits.Example, in name: String) -> BadRow {
    BadRow(
      error: ImportError(
        "\(file), line \(number.line): \(quoted(number.text)) in \(shortName(name)) has \(number.description), but "
          + "\(quoted(other.text)) in line \(other.line) of \(other.file) has \(other.description)",
        details: [
          "a column of numbers needs one unit: remove \(shortName(name)) from --numbers to keep the text, or split "
            + "the column by unit"
        ]))
  }

  /// The error for a text in such a column: without the units of its other numbers, it would keep less than the file has.
  private func noNumber(_ field: ImportField, in name: String, line: Int) -> BadRow {
    let styles = [(NumberStyle.thousandsComma, "--thousands-comma"), (.decimalComma, "--decimal-comma")]
    let signed = SignedNumber(field.bytes)
    let fitting = styles.filter { style, _ in signed?.number(in: style) != nil }.map(\.1)
    return BadRow(
      error: ImportError(
        "\(file), line \(line): \(quoted(field.text)) in \(shortName(name)) is not a number",
        details: [
          fitting.isEmpty
            ? "remove \(shortName(name)) from --numbers to keep the text"
            : "\(fitting.joined(separator: " or ")) reads the number"
        ]))
  }
}
