@testable import CSV
import Foundation
import TestSupport
import Testing

@Suite("A reader of records where they stand")
struct RawCSVReaderTests {
  /// What a reader says of an input, one entry a record or mistake.
  private enum Saying: Equatable {
    case record([CSVField], line: Int)
    case mistake(CSVError)
  }

  @Test("says what the reader of strings says, in windows of any size", .tags(.slow), arguments: SplitMix64.seeds)
  func agreement(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let marks: [[UInt8]] = [
      [0x61], [0x62, 0x63], [0x2C], [0x2C], [0x22], [0x22, 0x22], [0x0A], [0x0A], [0x0D, 0x0A], [0x0D], [0xC3, 0xA9],
      [0xFF],
      Array("\"x\",".utf8), Array("x,y\n".utf8), Array("\"a\"\"b\",\"\n\"\r\n".utf8),
    ]
    for round in 0..<1_500 {
      var bytes = Array((random.chance(0.7) ? "a,b\n" : "a\r\n").utf8)
      for _ in 0..<random.below(24) { bytes += random.pick(marks) }
      let path = try folder.write(bytes, to: "input")
      let expected = Self.sayings(ofStringsIn: bytes)
      let found = try Self.sayings(ofBytesIn: path, capacity: 1 + random.below(40), like: expected)
      let comment: Comment = "round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      #expect(found == expected, comment)
    }
  }

  /// Up to the first mistake behind which the reader of strings does not go on.
  private static func sayings(ofStringsIn bytes: [UInt8]) -> [Saying] {
    var sayings: [Saying] = []
    do throws(CSVError) {
      let reader = try CSVReader(bytes: bytes)
      while true {
        do throws(CSVError) {
          guard let record = try reader.next() else { return sayings }
          sayings.append(.record(record.fields, line: record.line))
        } catch  where error.code == .wrongFieldCount {
          sayings.append(.mistake(error))
        }
      }
    } catch {
      return sayings + [.mistake(error)]
    }
  }

  private static func sayings(ofBytesIn path: String, capacity: Int, like expected: [Saying]) throws -> [Saying] {
    let file = try #require(FileHandle(forReadingAtPath: path))
    var sayings: [Saying] = []
    do throws(CSVError) {
      let reader = try RawRecordReader(ByteWindow(fileDescriptor: file.fileDescriptor, capacity: capacity), .csv())
      while sayings.count < expected.count + 1 {
        do throws(CSVError) {
          guard try reader.next() else { break }
          let fields = reader.fields.map { field in
            CSVField(String(decoding: field.bytes, as: UTF8.self), isQuoted: field.isQuoted)
          }
          sayings.append(.record(fields, line: reader.line))
        } catch {
          sayings.append(.mistake(error))
          if error.code != .wrongFieldCount { break }
        }
      }
    } catch {
      sayings.append(.mistake(error))
    }
    return sayings
  }

  @Test("goes on behind a record that is wrong")
  func recovery() throws {
    let text =
      Array("a,b\n1,2\n3\n4,5,6\n7,x\"y\n8,\"9\"z\n10,".utf8) + [0xFF] + Array("\n\"11\n".utf8) + [0xFE]
      + Array("\n\",12\r\n13,14\n".utf8)
    let folder = try TemporaryFolder()
    let file = try #require(FileHandle(forReadingAtPath: try folder.write(text, to: "input")))
    let reader = try RawRecordReader(ByteWindow(fileDescriptor: file.fileDescriptor), .csv())
    var found: [String] = []
    while true {
      do throws(CSVError) {
        guard try reader.next() else { break }
        found.append("\(reader.line): " + reader.fields.map(\.field.text).joined(separator: "|"))
      } catch {
        found.append("\(error.line ?? 0),\(error.column ?? 0) \(error.code)")
      }
    }
    #expect(
      found == [
        "2: 1|2", "3,2 wrongFieldCount", "4,5 wrongFieldCount", "5,4 quoteInUnquotedField", "6,6 textAfterQuote",
        "7,4 invalidUTF8", "9,1 invalidUTF8", "11: 13|14",
      ])
    #expect(!reader.isBroken)
  }

  @Test("is broken by a quote that is never closed")
  func broken() throws {
    let folder = try TemporaryFolder()
    let file = try #require(FileHandle(forReadingAtPath: try folder.write("a\n1\n\"2\n3\n".utf8, to: "input")))
    let reader = try RawRecordReader(ByteWindow(fileDescriptor: file.fileDescriptor), .csv())
    #expect(try reader.next())
    for _ in 0..<2 {
      let error = #expect(throws: CSVError.self) { try reader.next() }
      #expect(error?.code == .unterminatedQuote)
      #expect(reader.isBroken)
    }
  }

  @Test("reads a field that is larger than its window")
  func large() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "é\"\"", count: 200_000)
    let file = try #require(
      FileHandle(forReadingAtPath: try folder.write("a,b\n\"\(long)\",1\n2,3\n".utf8, to: "input")))
    let reader = try RawRecordReader(ByteWindow(fileDescriptor: file.fileDescriptor, capacity: 64), .csv())
    #expect(try reader.next())
    #expect(reader.fields[0].field.text == String(repeating: "é\"", count: 200_000))
    #expect(reader.fields[1].field.text == "1")
    #expect(try reader.next())
    #expect(reader.fields.map(\.field.text) == ["2", "3"])
    #expect(try !reader.next())
  }
}

@Suite("Input in small pieces")
struct SmallPieceTests {
  /// A window that is filled one byte after the other.
  private func window(_ bytes: [UInt8]) -> ByteWindow {
    var rest = bytes[...]
    return ByteWindow { buffer in
      guard let byte = rest.popFirst() else { return 0 }
      buffer[0] = byte
      return 1
    }
  }

  /// To begin each record from its start again would take minutes.
  @Test("is read once, however long a record is", arguments: [DelimitedSyntax.csv(), .tsv])
  func linear(syntax: DelimitedSyntax) throws {
    let text = String(repeating: "é\u{301}🐉x", count: 30_000)
    let reader = try RawRecordReader(window(Array("a\n\(text)\n1\n".utf8)), syntax)
    #expect(try reader.next() && reader.field(at: 0).field.text == text)
    #expect(try reader.next() && reader.fields.map(\.field.text) == ["1"])
    #expect(try !reader.next())
  }

  @Test("ends where a header has more columns than a reader takes", arguments: [DelimitedSyntax.csv(), .tsv])
  func columns(syntax: DelimitedSyntax) throws {
    let separator = syntax == .tsv ? "\t" : ","
    let endless = ByteWindow { buffer in
      buffer.copyBytes(from: "x\(separator)".utf8)
      return 2
    }
    let error = #expect(throws: CSVError.self) { try RawRecordReader(endless, syntax, maximumColumnCount: 100) }
    #expect(error?.code == .tooManyColumns && error?.line == 1 && error?.column == 201)
  }

  @Test("ends where a field has more bytes than a reader takes", arguments: [DelimitedSyntax.csv(), .tsv])
  func size(syntax: DelimitedSyntax) throws {
    var isStarted = false
    let endless = ByteWindow { buffer in
      buffer.copyBytes(from: (isStarted ? "xx" : "a\n").utf8)
      isStarted = true
      return 2
    }
    let reader = try RawRecordReader(endless, syntax, maximumFieldSize: 1_000)
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.code == .fieldTooLarge && error?.line == 2 && error?.column == 1)
    #expect(reader.isBroken)
  }
}

@Suite("A reader of tab-separated values")
struct RawTSVReaderTests {
  private func sayings(_ bytes: [UInt8], capacity: Int = 64) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try #require(FileHandle(forReadingAtPath: try folder.write(bytes, to: "input")))
    var sayings: [String] = []
    do throws(CSVError) {
      let reader = try RawRecordReader(ByteWindow(fileDescriptor: file.fileDescriptor, capacity: capacity), .tsv)
      sayings.append(reader.header.joined(separator: "|"))
      while true {
        do throws(CSVError) {
          guard try reader.next() else { return sayings }
          let fields = reader.fields.map { $0.isAbsent ? "nil" : "<\(String(decoding: $0.bytes, as: UTF8.self))>" }
          sayings.append("\(reader.line): \(fields.joined())")
        } catch {
          sayings.append("\(error.line ?? 0),\(error.column ?? 0) \(error.code)")
        }
      }
    } catch {
      return sayings + ["\(error.line ?? 0),\(error.column ?? 0) \(error.code)"]
    }
  }

  @Test(
    "undoes escapes, and tells no value from the empty text",
    arguments: [
      ("a\tb\n1\t2\n", ["a|b", "2: <1><2>"]), ("a\r\n1\r\n2", ["a", "2: <1>", "3: <2>"]),
      ("\u{FEFF}a\n\\N\n\n\\\\N\n", ["a", "2: nil", "3: <>", "4: <\\N>"]),
      ("a\tb\nx\\ty\\n\\r\\\\\t\"\n", ["a|b", "2: <x\ty\n\r\\><\">"]),
      (
        "a\tb\n1\n1\t2\t3\né\tx\\q\n4\t5\n",
        ["a|b", "2,2 wrongFieldCount", "3,5 wrongFieldCount", "4,4 unknownEscape", "5: <4><5>"]
      ),
      ("", ["1,1 noHeader"]), ("a\ta\n", ["1,3 duplicateHeader"]), ("a\t\n", ["1,3 emptyHeader"]),
      ("a\nx\\", ["a", "2,2 unknownEscape"]),
    ])
  func reading(text: String, said: [String]) throws {
    for capacity in [1, 3, 64] { #expect(try sayings(Array(text.utf8), capacity: capacity) == said) }
  }

  @Test("says where the text is not UTF-8, and goes on")
  func encoding() throws {
    #expect(try sayings(Array("a\né".utf8) + [0xFF, 0x0A] + Array("b\n".utf8)) == ["a", "2,2 invalidUTF8", "3: <b>"])
  }

  @Test("reads back what the writer writes", arguments: SplitMix64.seeds)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let writer = TSVWriter()
    let alphabet = ["a", "\t", "\n", "\r", "\\", "N", "\\N", "é", "\u{0}", "\"", ""]
    let records: [[String?]] = (0..<200).map { _ in
      (0..<3).map { _ in
        random.chance(0.2) ? nil : (0..<random.below(5)).map { _ in random.pick(alphabet) }.joined()
      }
    }
    let bytes = Array((writer.line(["a", "b", "c"]) + records.map(writer.line).joined()).utf8)
    let expected = records.enumerated().map { line, record in
      "\(line + 2): " + record.map { $0.map { "<\($0)>" } ?? "nil" }.joined()
    }
    // Strings are compared by what they mean, the bytes by what they are.
    let found = try sayings(bytes, capacity: 1 + random.below(50))
    #expect(found.map { Array($0.utf8) } == (["a|b|c"] + expected).map { Array($0.utf8) })
  }
}
