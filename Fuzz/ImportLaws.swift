import CSV
import Foundation
import Query
import Repository
import RowImport
import SQLStore
import SQLiteStore

/// What holds for every file of rows that is imported.
enum ImportLaws {
  /// A file of one format, whose layout the first character says, bit by bit.
  static func check(_ text: String, _ format: InputFormat) {
    var options = DelimitedOptions()
    var text = text
    if format == .csv, let bits = text.unicodeScalars.first?.value {
      options.layout.hasHeader = bits & 1 == 0
      options.layout.padsRecords = bits & 2 != 0
      options.layout.renamesColumns = bits & 4 != 0
      if bits & 8 != 0 { options.layout.comment = UInt8(ascii: "#") }
      if bits & 16 != 0 { options.layout.quote = bits & 32 == 0 ? nil : UInt8(ascii: "'") }
      options.layout.skippedLineCount = Int(bits >> 6 & 3)
      options.numberStyle = bits & 256 != 0 ? .decimalComma : bits & 512 != 0 ? .thousandsComma : .plain
      text = String(text.unicodeScalars.dropFirst())
    }
    let file = ScratchFile.shared
    file.write(text)
    let rows = read(text, file.input(format, options))
    importRows(text, file.input(format, options))
    checkLines(rows.filter { $0.allSatisfy { $0.text.utf8.count < 1_000 } })
  }

  private struct Field: Equatable {
    let name: String
    let text: String

    static func isBefore(_ left: Field, _ right: Field) -> Bool {
      left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
  }

  /// The fields that there are of each record that can be read.
  private static func read(_ text: String, _ input: InputFile) -> [[Field]] {
    var rows: [[Field]] = []
    expectTypedError(text) {
      let reader = try input.reader(RecordNames())
      while true {
        do {
          guard try reader.next() else { return }
          rows.append(
            reader.names.enumerated().compactMap { position, name in
              let field = reader.field(at: position)
              return reader.hasField(at: position) && !field.isAbsent ? Field(name: name, text: field.text) : nil
            })
        } catch is BadRow {}
      }
    }
    return rows
  }

  /// Rows are the same as lines of JSON, one for each.
  private static func checkLines(_ rows: [[Field]]) {
    let rows = rows.filter { row in !row.isEmpty && Set(row.map { Array($0.name.utf8) }).count == row.count }
    if rows.isEmpty { return }
    let lines = rows.map { row in "{" + row.map { "\(json($0.name)):\(json($0.text))" }.joined(separator: ",") + "}\n" }
    let text = lines.joined()
    ScratchFile.shared.write(text)
    let again = read(text, ScratchFile.shared.input(.ndjson, DelimitedOptions()))
    // A name has its place from the first line that has it.
    Law.require(
      again.elementsEqual(rows) { $0 == $1 || $0.sorted(by: Field.isBefore) == $1.sorted(by: Field.isBefore) },
      "rows are the same as lines of JSON", [text, "\(rows)", "\(again)"])
  }

  /// A text in JSON, as Foundation's encoder, which takes far longer, would write it.
  private static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "/": json += "\\\(scalar)"
      case "\u{8}": json += "\\b"
      case "\u{C}": json += "\\f"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case "\u{0}"..<" ": json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// The database of all imports, which is empty before each: one takes as long to open as a file takes to import.
  private static let store = Law.mustSucceed("there is a database") { try SQLiteStore.inMemory() }

  /// All rows come into the table, but for those that are counted as bad, or none do; and both where none are bad.
  private static func importRows(_ text: String, _ makeInput: @autoclosure () -> InputFile) {
    let tolerant = importedRows(text, makeInput(), skipsBadRows: true)
    let strict = importedRows(text, makeInput(), skipsBadRows: false)
    Law.require(
      (strict != nil) == (tolerant?.skipped == 0), "an import that skips bad rows skips none where there are none",
      [text])
    guard let strict, let tolerant else { return }
    Law.require(
      strict.table == tolerant.table && strict.count == tolerant.count, "both imports are one where no row is bad",
      [text, "\(strict)", "\(tolerant)"])
  }

  private static func importedRows(_ text: String, _ input: InputFile, skipsBadRows: Bool) -> ImportReport? {
    var report: ImportReport?
    expectTypedError(text) {
      report = try TableImport(
        TableImport.Job(table: "t", mode: .create, skipsBadRows: skipsBadRows), of: [input], into: store, Silence()
      ).run()
    }
    let names = Law.mustSucceed("tables are listed") { try store.tableNames() }
    Law.require(names == (report == nil ? [] : ["t"]), "a table is made if the import succeeds", [text, "\(names)"])
    guard let report else { return nil }
    let count = Law.mustSucceed("rows are counted", [text]) {
      try store.blocking.sql.query("SELECT count(*) FROM t", as: Int.self)
    }
    Law.require(count == [report.count], "the rows that are told are there", [text, "\(count)", "\(report.count)"])
    Law.mustSucceed("a table goes", [text]) { _ = try store.blocking.sql.execute("DROP TABLE t") }
    return report
  }

  private static func expectTypedError(_ text: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch is ImportError {
    } catch is BadRow {
    } catch let error as RepositoryError {
      let allowed: [RepositoryError.Code] = [.invalidSchema, .tooBig, .conflict, .constraint]
      Law.require(allowed.contains(error.code), "a file is refused for what it holds", [text, "\(error)"])
    } catch {
      Law.require(false, "an import's error has its type", [text, "\(error)"])
    }
  }

  /// Is told of the work, and does nothing.
  private final class Silence: ImportObserver {
    func beginWork(_ work: String, total: Int?) {}
    func update(rows: Int?, bytes: Int) {}
    func endWork() {}
    func skipped(_ error: ImportError) {}
    func checkCancellation() throws {}
  }
}

/// A file without a name, which holds one input after another.
private final class ScratchFile: Sendable {
  static let shared = ScratchFile()
  private let descriptor: Int32

  private init() {
    // In memory where there is such a folder: a disk's file system takes longer than a reader.
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    let path = folder + "repokit-fuzz-\(ProcessInfo.processInfo.processIdentifier).rows"
    defer { unlink(path) }
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  }

  func write(_ text: String) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        && ftruncate(descriptor, off_t(bytes.count)) == 0
    }
    Law.require(isWritten, "there is a file to read")
  }

  /// What was written, from its start.
  func input(_ format: InputFormat, _ options: DelimitedOptions) -> InputFile {
    Law.require(lseek(descriptor, 0, SEEK_SET) == 0, "there is a file to read")
    return InputFile(descriptor: descriptor, isOwned: false, name: "rows", format: format, options)
  }
}
