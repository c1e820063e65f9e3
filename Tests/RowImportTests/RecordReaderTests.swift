import CSV
import Foundation
import Query
import TestSupport
import Testing
@testable import RowImport

@Suite("Records of a file")
struct RecordReaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func input(_ text: String, _ format: InputFormat) throws -> InputFile {
    let descriptor = open(try folder.write(text.utf8, to: "rows"), O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return InputFile(descriptor: descriptor, isOwned: true, name: "rows", format: format)
  }

  /// The fields of all records that can be read, as texts under their names, and what is wrong with the others.
  private func records(_ text: String, _ format: InputFormat) throws -> (rows: [[String: String]], errors: [String]) {
    // The descriptor is open as long as the input is there.
    let input = try input(text, format)
    defer { withExtendedLifetime(input) {} }
    let reader = try input.reader(RecordNames())
    var (rows, errors): ([[String: String]], [String]) = ([], [])
    while true {
      do {
        guard try reader.next() else { return (rows, errors) }
        var row: [String: String] = [:]
        for (position, name) in reader.names.enumerated() where !reader.field(at: position).isAbsent {
          row[name] = reader.field(at: position).text
        }
        rows.append(row)
      } catch let bad as BadRow {
        errors.append(bad.error.summary)
      }
    }
  }

  @Test(
    "are the same in every format",
    arguments: [
      (.csv, "id,name\n1,Bulbasaur\n4,\n"), (.tsv, "id\tname\n1\tBulbasaur\n4\t\\N\n"),
      (.json, #"[{"id": 1, "name": "Bulbasaur"}, {"name": null, "id": 4}]"#),
      (.ndjson, "{\"id\": 1, \"name\": \"Bulb\\u0061saur\"}\n\n{\"id\": 4}\n"),
    ] as [(InputFormat, String)])
  func formats(format: InputFormat, text: String) throws {
    let found = try records(text, format)
    #expect(found.rows == [["id": "1", "name": "Bulbasaur"], ["id": "4"]])
    #expect(found.errors == [])
  }

  @Test("are read again from the start")
  func twice() throws {
    let input = try input("id\n1\n", .csv)
    for _ in 0..<2 {
      let reader = try input.reader(RecordNames())
      #expect(try reader.next() && reader.field(at: 0).text == "1")
      #expect(try !reader.next())
    }
    #expect(input.size == 5)
  }

  @Test("are told apart from those that can't be read, behind which others follow")
  func badRows() throws {
    let found = try records("{\"id\": 1}\n{\"id\" 2}\n{\"id\": 3, \"id\": 3}\n[4]\n{\"id\": 5}\n", .ndjson)
    #expect(found.rows == [["id": "1"], ["id": "5"]])
    #expect(found.errors.count == 3)
    #expect(found.errors.first?.hasPrefix("rows, line 2") == true)
  }

  @Test(
    "end where nothing can be told of what follows",
    arguments: [
      (.json, "[{\"id\": 1}", "rows, line 1, column 11: the file ends within the array"),
      (.json, "[{\"id\": 1} {\"id\": 2}]", "rows, line 1, column 12: expected `,` or `]`, found `{`"),
      (.csv, "id\n\"1\n", "rows, line"),
    ] as [(InputFormat, String, String)])
  func broken(format: InputFormat, text: String, message: String) throws {
    let error = #expect(throws: ImportError.self) { try records(text, format) }
    #expect(error?.summary.hasPrefix(message) == true, "\(error?.summary ?? "")")
  }

  @Test(
    "have fields of a bounded size",
    arguments: [
      ("[{\"id\": 1, \"name\": \"0123456789\"}]", 12, nil),
      ("[{\"id\": 1, \"name\": \"01234567890\"}]", 12, "rows, line 1, column 20: the field is longer than 12 bytes"),
      ("{\"id\": \"0123456789 and so on", 12, "rows, line 1, column 8: the field is longer than 12 bytes"),
      ("{\"id\": [1, [2, {\"a\": 3}, 4, 5]]}", 12, "rows, line 1, column 8: the field is longer than 12 bytes"),
      ("{\"a long name of a field\": 1}", 12, "rows, line 1, column 2: the field is longer than 12 bytes"),
    ] as [(String, Int, String?)])
  func fieldSize(text: String, limit: Int, message: String?) throws {
    let reader = JSONRecordReader(
      ByteWindow(bytes: Array(text.utf8)), of: "rows", RecordNames(), maximumFieldSize: limit)
    do {
      while try reader.next() {}
      #expect(message == nil)
    } catch let error as ImportError {
      #expect(error.summary == message)
    }
  }

  @Test("are read in time that grows with the input alone, where it comes in small pieces")
  func smallPieces() throws {
    let long = String(repeating: "x", count: 100_000)
    var rest = Array("[{\"a\": \"\(long)\"}, {\"a\": 2}]".utf8)[...]
    let window = ByteWindow { buffer in
      guard let byte = rest.popFirst() else { return 0 }
      buffer[0] = byte
      return 1
    }
    let reader = JSONRecordReader(window, of: "rows", RecordNames())
    #expect(try reader.next() && reader.field(at: 0).text == long)
    #expect(try reader.next() && reader.field(at: 0).text == "2")
    #expect(try !reader.next())
  }

  @Test("have no more columns than a table can have", arguments: [InputFormat.csv, .tsv, .ndjson])
  func columnCount(format: InputFormat) throws {
    for count in [2_000, 2_001, 20_000] {
      let names = (1...count).map { "c\($0)" }
      let text =
        switch format {
        case .ndjson: "{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}\n"
        default: names.joined(separator: format == .csv ? "," : "\t") + "\n"
        }
      if count == 2_000 {
        #expect(try columns(of: [input(text, format)]).hasPrefix("c1 "))
      } else {
        let error = #expect(throws: ImportError.self) { try columns(of: [input(text, format)]) }
        #expect(error?.summary == "rows has \(count) columns")
      }
    }
  }

  private static let tables: [(format: InputFormat, text: String, columns: String)] = [
    (.csv, "a,b,c,d\n1,1.5,x,007\n2,2,,8\n", "a integer?, b real?, c text?, d text?"),
    (.csv, "a\n9223372036854775808\n", "a text?"), (.csv, "a,b\n", "a text?, b text?"),
    (.csv, "a,b,c\n1.5,9e999,9e999\n-9e999,,x\n2,-9e999,1\n", "a real?, b real?, c text?"),
    (.tsv, "a\tb\n9e999\t9007199254740993\n1\t9e999\n", "a real?, b text?"),
    (.json, #"[{"a": 1, "b": true}, {"a": "x"}]"#, "a any?, b integer?"),
    (.json, #"[{"a": 1.5}, {"a": "Infinity"}, {"a": [1]}]"#, "a any?"),
    (.json, #"[{"a": 1.5}, {"a": "-Infinity"}]"#, "a real?"), (.ndjson, #"{"a": "1"}"#, "a text?"),
  ]

  /// The columns with their types, and a question mark where they may be null.
  private func columns(of inputs: [InputFile], key: [String] = [], types: [(column: String, type: ValueType)] = [])
    throws
    -> String
  {
    let schema = try TableInference(name: "t", key: key, types: types).schema(of: inputs) { reader, observe in
      while try reader.next() { try observe(reader) }
    }.schema
    return schema.columns.map { "\($0.name) \($0.type.rawValue)\($0.isNullable ? "?" : "")" }.joined(separator: ", ")
  }

  @Test("say which types the columns of a new table have", arguments: tables)
  func inference(format: InputFormat, text: String, columns: String) throws {
    #expect(try self.columns(of: [input(text, format)]) == columns)
  }

  @Test("have a key that is never empty, and types that are asked for")
  func key() throws {
    let text = "id,code\n1,7\n2,8\n"
    #expect(try columns(of: [input(text, .csv)], key: ["id"], types: [("code", .text)]) == "id integer, code text?")
    let unknown = #expect(throws: ImportError.self) { try columns(of: [input(text, .csv)], key: ["ide"]) }
    #expect(unknown?.summary == "--key: no column ide in rows" && unknown?.isUsageError == true)
    #expect(unknown?.details == ["did you mean id?"])
    let empty = #expect(throws: BadRow.self) { try columns(of: [input("id,code\n,7\n", .csv)], key: ["id"]) }
    #expect(empty?.error.summary == "rows, line 2, in id: the field is empty")
  }

  @Test("of several files have the same columns, in any order")
  func several() throws {
    let first = try input("a,b\n1,x\n", .csv)
    let other = open(try folder.write("b,a\n2,2.5\n".utf8, to: "other"), O_RDONLY | O_CLOEXEC)
    let second = InputFile(descriptor: other, isOwned: true, name: "other", format: .csv)
    #expect(try columns(of: [first, second]) == "a real?, b text?")
    let missing = open(try folder.write("a\n2\n".utf8, to: "missing"), O_RDONLY | O_CLOEXEC)
    let third = InputFile(descriptor: missing, isOwned: true, name: "missing", format: .csv)
    let error = #expect(throws: ImportError.self) { try columns(of: [first, third]) }
    #expect(error?.summary == "missing has no column b" && error?.details == ["rows has this column"])
  }
}
