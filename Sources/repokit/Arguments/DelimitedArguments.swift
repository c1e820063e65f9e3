import CSV
import RowImport
import SQLInspection

/// The arguments for the format of delimited text.
enum DelimitedArguments {
  static let options = [
    encoding, delimiter, quote, decimalComma, thousandsComma, numbers, dateOrder, noHeader, skipLines, comment, pad,
    rename,
  ]

  private static let delimiter = OptionDescription(
    name: "--delimiter", value: "C",
    help: "What separates the fields of CSV: a character, or tab; found out if it is left out.",
    completion: .words([",", ";", "|", "tab"]))
  private static let quote = OptionDescription(
    name: "--quote", value: "C",
    help:
      "What begins and ends a text that holds the delimiter: a character, or none; a double quote if it is left out.",
    completion: .words(["'", "none"]))
  private static let encoding = OptionDescription(
    name: "--encoding", value: "NAME",
    help:
      "The encoding of the file, such as windows-1252 or shift_jis; UTF-8, or UTF-16 with a mark, if it is left out.",
    completion: .words(["utf-8", "utf-16le", "utf-16be", "iso-8859-1", "iso-8859-15", "windows-1252", "shift_jis"]))
  private static let decimalComma = OptionDescription(
    name: "--decimal-comma", help: "Numbers are written as 1234,5 or 1.234,5, or with blanks or apostrophes.",
    excluded: ["--thousands-comma"])
  private static let thousandsComma = OptionDescription(
    name: "--thousands-comma", help: "Numbers are written as 1,234.5, with commas, blanks or apostrophes.",
    excluded: ["--decimal-comma"])
  private static let numbers = OptionDescription(
    name: "--numbers", value: "A[,B]",
    help:
      "Columns whose numbers are written with a currency, a percent sign or parentheses, as $5, 5 EUR, 12% and (5), which is -5."
  )
  private static let dateOrder = OptionDescription(
    name: "--date-order", value: "ORDER",
    help:
      "Dates are written as 31.12.2024 (dmy), 12/31/2024 (mdy) or 2024/12/31 (ymd), and become 2024-12-31 in columns of dates alone.",
    completion: .words(DateOrder.allCases.map(\.rawValue)))
  private static let noHeader = OptionDescription(
    name: "--no-header", help: "The first line is a row already; the columns are called column1, column2 and so on.",
    excluded: ["--rename-columns"])
  private static let skipLines = OptionDescription(
    name: "--skip-lines", value: "N", help: "Leaves out the first N lines, such as a title.")
  private static let comment = OptionDescription(
    name: "--comment", value: "C", help: "Leaves out lines that begin with this character.")
  private static let pad = OptionDescription(
    name: "--pad",
    help:
      "Takes rows with fewer fields than there are columns, the others null, and with more where these are empty; leaves out rows without a value."
  )
  private static let rename = OptionDescription(
    name: "--rename-columns", help: "Gives columns without a name, or with that of another, names of their own.",
    excluded: ["--no-header"])

  static func read(_ arguments: Arguments) throws(Failure) -> DelimitedOptions {
    var read = DelimitedOptions()
    if let text = arguments[delimiter] {
      let character = text == "tab" || text == "\\t" ? "\t" : text
      guard character.count == 1, let found = character.first.flatMap(CSVDelimiter.init) else {
        throw arguments.command.usageError(
          "\(delimiter.name): \(TerminalText.quoted(text)) can't separate fields",
          suggestion: "write one character of ASCII that is no quote, or tab")
      }
      read.delimiter = found
    }
    if let text = arguments[quote] {
      let byte = text.count == 1 ? text.first?.asciiValue : nil
      guard
        text == "none"
          || byte.map({ 0x21...0x7E ~= $0 && Character(UnicodeScalar($0)) != read.delimiter?.character }) == true
      else {
        throw arguments.command.usageError(
          "\(quote.name): \(TerminalText.quoted(text)) can't begin a text",
          suggestion: "write one character of ASCII that separates no fields, such as ', or none")
      }
      read.layout.quote = byte
    }
    read.encoding = arguments[encoding].map { $0.uppercased() }
    if arguments.has(decimalComma) { read.numberStyle = .decimalComma }
    if arguments.has(thousandsComma) { read.numberStyle = .thousandsComma }
    read.signedColumns = try arguments.names(numbers) ?? []
    read.dateOrder = try arguments.choice(dateOrder, of: DateOrder.self)
    read.layout.hasHeader = !arguments.has(noHeader)
    read.layout.skippedLineCount = try arguments.integer(skipLines) ?? 0
    if read.layout.skippedLineCount < 0 {
      throw arguments.command.usageError("\(skipLines.name): there are no fewer lines than none")
    }
    if let text = arguments[comment] {
      guard text.count == 1, let byte = text.first?.asciiValue, byte > 0x20, byte != read.layout.quote else {
        throw arguments.command.usageError(
          "\(comment.name): \(TerminalText.quoted(text)) can't begin a comment",
          suggestion: "write one character of ASCII, such as #")
      }
      read.layout.comment = byte
    }
    read.layout.padsRecords = arguments.has(pad)
    read.layout.renamesColumns = arguments.has(rename)
    return read
  }
}
