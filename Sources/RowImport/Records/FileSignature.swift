import CSV

/// The kinds of files without rows in text, by their first bytes.
package enum FileSignature {
  /// Throws for a file of another kind, with the way to get its rows.
  static func check(_ window: ByteWindow, of name: String) throws(ImportError) {
    do throws(CSVError) {
      while window.bytes.count < sampleSize, try window.readMore(line: 1) {}
    } catch {
      throw ImportError(error, in: name)
    }
    let bytes = Array(window.bytes.prefix(sampleSize))
    guard let (kind, advice) = kind(of: bytes) else { return }
    throw ImportError("\(name) is \(kind), not CSV, TSV or JSON", details: [advice])
  }

  package static let sampleSize = 512

  /// Returns what a file is, and how to get its rows; `nil` for a text.
  private static func kind(of bytes: [UInt8]) -> (kind: String, advice: String)? {
    // https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, section 4.3.7: the name of the first file is at byte 30.
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      let content = String(decoding: bytes.dropFirst(30), as: UTF8.self)
      if content.contains("opendocument.spreadsheet") { return ("an OpenDocument spreadsheet", save) }
      let isWorkbook = ["[Content_Types].xml", "_rels/", "xl/", "docProps/"].contains { content.hasPrefix($0) }
      return isWorkbook ? ("an Excel workbook", save) : ("a ZIP archive", "unpack the archive, and import its files")
    }
    for (mark, kind, advice) in marks where bytes.starts(with: mark) { return (kind, advice) }
    // A header may begin with the same letters: the next bytes of these files are none of a text.
    if bytes.starts(with: "PAR1".utf8), bytes.count > 4, bytes[4] < 0x20, bytes[4] != 0x0A, bytes[4] != 0x0D {
      return ("a Parquet file", "convert the file to CSV, for example with DuckDB or pandas")
    }
    if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
      return ("a file compressed by bzip2", unpack)
    }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
      return ("a page of HTML", "download the data file; the page may be a login or an error")
    }
    return text.hasPrefix("<?xml") ? ("an XML file", "convert the file to CSV or JSON") : nil
  }

  private static let save = "save the sheet as CSV, and import the CSV file"
  private static let unpack = "unpack the file, and import the unpacked file"

  private static let marks: [(mark: [UInt8], kind: String, advice: String)] = [
    // https://learn.microsoft.com/openspecs/windows_protocols/ms-cfb: the old formats of Office.
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an old Office file, such as .xls", save),
    // https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
    (Array("ARROW1\0\0".utf8), "an Arrow file", "convert the file to CSV, for example with DuckDB or pandas"),
    (Array("%PDF-".utf8), "a PDF document", "export the rows as CSV from the program that made the document"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "a file compressed by xz", unpack),
    // RFC 8878, section 3.1.1
    ([0x28, 0xB5, 0x2F, 0xFD], "a file compressed by Zstandard", unpack),
  ]

  /// Returns the advice on a file whose name does not imply a format; `nil` for an unknown kind of file.
  package static func advice(on bytes: [UInt8], of name: String) -> String? {
    if let (kind, advice) = kind(of: bytes) { return "\(name) is \(kind): \(advice)" }
    return adviceOnJSON(bytes).map { "\(name) looks like JSON: \($0)" }
  }

  /// Returns the options that read JSON; `nil` for other text.
  private static func adviceOnJSON(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    if text.hasPrefix("[{") || text.hasPrefix("[[") { return "--from json reads an array of objects" }
    return text.hasPrefix("{\"")
      ? "--from ndjson reads one object a line; --from json --path NAME reads the list NAME within an object" : nil
  }

  /// Throws for JSON in a file whose name does not imply a format, so that repokit would read the file as CSV.
  static func checkIsNotJSON(_ window: ByteWindow, of name: String) throws(ImportError) {
    guard let advice = adviceOnJSON(Array(window.bytes.prefix(sampleSize))) else { return }
    throw ImportError("\(name) looks like JSON", details: [advice], isUsageError: true)
  }
}
