import CSV
import RowImport
import SQLInspection

/// The arguments for the format of delimited text.
enum DelimitedArguments {
  static let options = [
    encoding, delimiter, quote, backslash, decimalComma, thousandsComma, numbers, dateOrder, noHeader, skipLines,
    skipEnd,
    comment, pad,
    rename, trim, null, path,
  ]

  private static let delimiter = OptionDescription(
    name: "--delimiter", value: "C",
    help: "Set the CSV delimiter: one character, or tab (default: detected).",
    completion: .words([",", ";", "|", "tab"]))
  private static let quote = OptionDescription(
    name: "--quote", value: "C",
    help:
      "Set the CSV quote: one character, or none (default: a double quote).",
    completion: .words(["'", "none"]))
  private static let encoding = OptionDescription(
    name: "--encoding", value: "NAME",
    help:
      "Set the encoding, such as windows-1252 or shift_jis (default: UTF-8, or UTF-16 with a byte order mark).",
    completion: .words(["utf-8", "utf-16le", "utf-16be", "iso-8859-1", "iso-8859-15", "windows-1252", "shift_jis"]))
  private static let decimalComma = OptionDescription(
    name: "--decimal-comma", help: "Read numbers such as 1234,5 and 1.234,5; blanks and apostrophes also group digits.",
    excluded: ["--thousands-comma"])
  private static let thousandsComma = OptionDescription(
    name: "--thousands-comma", help: "Read numbers such as 1,234.5; blanks and apostrophes also group digits.",
    excluded: ["--decimal-comma"])
  private static let numbers = OptionDescription(
    name: "--numbers", value: "A[,B]",
    help:
      "Read currencies, percent signs and parentheses in these columns: $5, 5 EUR, 12%, and (5) for -5."
  )
  private static let backslash = OptionDescription(
    name: "--backslash", help: "Within quotes, read \\\" as a quote and \\\\ as a backslash.")
  private static let dateOrder = OptionDescription(
    name: "--date-order", value: "ORDER",
    help:
      "Read dates such as 31.12.2024 (dmy), 12/31/2024 (mdy), 2024/12/31 or 20241231 (ymd), and names of months "
      + "such as 31 Dec 2024, and store 2024-12-31. Every value of the column must be a date.",
    completion: .words(DateOrder.allCases.map(\.rawValue)))
  private static let noHeader = OptionDescription(
    name: "--no-header", help: "Read the first line as a row, and call the columns column1, column2 and so on.",
    excluded: ["--rename-columns"])
  private static let skipLines = OptionDescription(
    name: "--skip-lines", value: "N", help: "Skip the first N lines, such as a title.")
  private static let skipEnd = OptionDescription(
    name: "--skip-end", value: "N", help: "Skip the last N lines, such as a total; empty lines do not count.")
  private static let comment = OptionDescription(
    name: "--comment", value: "C", help: "Skip lines that start with this character.")
  private static let pad = OptionDescription(
    name: "--pad",
    help:
      "Fill short rows with nulls, accept extra empty fields, and skip empty rows."
  )
  private static let rename = OptionDescription(
    name: "--rename-columns", help: "Name unnamed columns, and rename repeated names.",
    excluded: ["--no-header"])

  private static let trim = OptionDescription(name: "--trim", help: "Remove blanks around names and fields.")
  private static let null = OptionDescription(
    name: "--null", value: "TEXT[,…]",
    help: "Read these texts as null, such as NA,N/A,-; an empty item means a quoted empty text.",
    completion: .words(["NA", "N/A", "NULL", "\\N", "-"]))
  private static let path = OptionDescription(
    name: "--path", value: "NAME", help: "Import the list at this path of a JSON object, such as data.items.")

  static func read(_ arguments: Arguments) throws(Failure) -> DelimitedOptions {
    var read = DelimitedOptions()
    if let text = arguments[delimiter] {
      let character = text == "tab" || text == "\\t" ? "\t" : text
      guard character.count == 1, let found = character.first.flatMap(CSVDelimiter.init) else {
        throw arguments.command.usageError(
          "\(delimiter.name): \(TerminalText.quoted(text)) is not a delimiter",
          suggestion: "write tab, or one ASCII character other than a quote")
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
          "\(quote.name): \(TerminalText.quoted(text)) is not a quote character",
          suggestion: "write none, or one ASCII character other than the delimiter, such as '")
      }
      read.layout.quote = byte
    }
    read.layout.escapesQuotes = arguments.has(backslash)
    read.encoding = arguments[encoding].map { $0.uppercased() }
    if arguments.has(decimalComma) { read.numberStyle = .decimalComma }
    if arguments.has(thousandsComma) { read.numberStyle = .thousandsComma }
    read.signedColumns = try arguments.names(numbers) ?? []
    read.dateOrder = try arguments.choice(dateOrder, of: DateOrder.self)
    read.layout.hasHeader = !arguments.has(noHeader)
    read.layout.skippedLineCount = try arguments.integer(skipLines) ?? 0
    if read.layout.skippedLineCount < 0 {
      throw arguments.command.usageError("\(skipLines.name): the number of lines is negative")
    }
    read.layout.skippedEndLineCount = try arguments.integer(skipEnd) ?? 0
    if read.layout.skippedEndLineCount < 0 {
      throw arguments.command.usageError("\(skipEnd.name): the number of lines is negative")
    }
    if let text = arguments[comment] {
      guard text.count == 1, let byte = text.first?.asciiValue, byte > 0x20, byte != read.layout.quote else {
        throw arguments.command.usageError(
          "\(comment.name): \(TerminalText.quoted(text)) is not a comment character",
          suggestion: "write one ASCII character, such as #")
      }
      read.layout.comment = byte
    }
    read.layout.padsRecords = arguments.has(pad)
    read.layout.renamesColumns = arguments.has(rename)
    read.layout.trimsBlanks = arguments.has(trim)
    if let text = arguments[null] {
      let texts = text.split(separator: ",", omittingEmptySubsequences: false)
      read.nullTexts = Set(texts.map { $0.utf8.elementsEqual("\"\"".utf8) ? [] : Array($0.utf8) })
    }
    if let text = arguments[path] {
      read.path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if read.path.contains("") {
        throw arguments.command.usageError(
          "\(path.name): a name is empty", suggestion: "write names with points between them, such as data.items")
      }
    }
    return read
  }
}
