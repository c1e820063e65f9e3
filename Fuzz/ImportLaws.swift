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
    let rows = read(text, format, options)
    for row in rows where row.allSatisfy({ $0.text.utf8.count < 1_000 }) { checkLine(row) }
    importRows(text, format, options)
  }

  private struct Field: Equatable {
    let name: String
    let text: String
  }

  /// The fields that there are of each record that can be read.
  private static func read(_ text: String, _ format: InputFormat, _ options: DelimitedOptions) -> [[Field]] {
    let input = ScratchFile.input(text, format, options)
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

  /// A row is the same as a line of JSON.
  private static func checkLine(_ row: [Field]) {
    if row.isEmpty || Set(row.map { Array($0.name.utf8) }).count < row.count { return }
    let line = "{" + row.map { "\(json($0.name)):\(json($0.text))" }.joined(separator: ",") + "}\n"
    let again = read(line, .ndjson, DelimitedOptions())
    Law.require(again == [row], "a row is the same as a line of JSON", [line, "\(row)", "\(again)"])
  }

  private static func json(_ text: String) -> String {
    Law.mustSucceed("a text has a JSON form") {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
  }

  /// All rows come into the table, but for those that are counted as bad, or none do.
  private static func importRows(_ text: String, _ format: InputFormat, _ options: DelimitedOptions) {
    let store = Law.mustSucceed("there is a database") { try SQLiteStore.inMemory() }
    for skipsBadRows in [true, false] {
      let table = "t\(skipsBadRows)"
      let input = ScratchFile.input(text, format, options)
      var report: ImportReport?
      expectTypedError(text) {
        report = try TableImport(
          TableImport.Job(table: table, mode: .create, skipsBadRows: skipsBadRows), of: [input], into: store, Silence()
        ).run()
      }
      let names = Law.mustSucceed("tables are listed") { try store.tableNames() }
      Law.require(names.contains(table) == (report != nil), "a table is made if the import succeeds", [text])
      guard let report else { continue }
      let count = Law.mustSucceed("rows are counted", [text]) {
        try store.sql.query("SELECT count(*) FROM \(identifier: table)", as: Int.self)
      }
      Law.require(count == [report.count], "the rows that are told are there", [text, "\(count)", "\(report.count)"])
    }
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
private enum ScratchFile {
  private static let descriptor: Int32 = {
    let path = NSTemporaryDirectory() + "repokit-fuzz-\(ProcessInfo.processInfo.processIdentifier).rows"
    defer { unlink(path) }
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  }()

  static func input(_ text: String, _ format: InputFormat, _ options: DelimitedOptions) -> InputFile {
    let bytes = Array(text.utf8)
    let isWritten =
      ftruncate(descriptor, 0) == 0
      && bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == bytes.count
      && lseek(descriptor, 0, SEEK_SET) == 0
    Law.require(isWritten, "there is a file to read")
    return InputFile(descriptor: descriptor, isOwned: false, name: "rows", format: format, options)
  }
}
