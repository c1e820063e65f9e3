import Foundation
import TestSupport
import Testing

@testable import CSV

@Suite("A reader of tab-separated values")
struct RawTSVReaderTests {
  private func sayings(_ bytes: [UInt8], capacity: Int = 64) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try #require(FileHandle(forReadingAtPath: try folder.write(bytes, to: "input")))
    var sayings: [String] = []
    do throws(CSVError) {
      let reader = try RawTSVReader(ByteWindow(fileDescriptor: file.fileDescriptor, capacity: capacity))
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
