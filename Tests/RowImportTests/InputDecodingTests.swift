import Foundation
import TestSupport
import Testing
@testable import RowImport

/// Input whose first bytes tell how it is written, or that is written in another encoding.
@Suite("The encoding of an input")
struct InputDecodingTests {
  /// Returns the text of an input that is read in pieces of at most some bytes.
  private func decode(
    _ bytes: [UInt8], _ encoding: String? = nil, pieces: Int, room: Int = 1 << 18
  ) throws -> String {
    var decoding = try InputDecoding(encoding, of: "input")
    var (rest, text) = (bytes[...], [UInt8]())
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try decoding.next(into: buffer) { target in
        let piece = rest.prefix(min(pieces, target.count))
        target.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
      }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    "\u{FEFF}\(text)".utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  /// Letters of two and of four bytes in UTF-16, so that pieces of any size cut some.
  private static func text(units: Int) -> String {
    String(String(repeating: "id,é,😀,ポ\n", count: units / 10 + 1).prefix(units))
  }

  @Test("is told by a byte order mark, however long the input and its pieces are", arguments: [true, false])
  func utf16(isBigEndian: Bool) throws {
    for (units, pieces) in [
      (3, 1), (20, 3), (40_000, 1 << 18), (70_000, 1 << 18), (200_000, 1 << 18), (200_000, 65_535),
    ] {
      let text = Self.text(units: units)
      let found = try decode(Self.utf16(text, isBigEndian: isBigEndian), pieces: pieces)
      #expect(found == text, "\(units) units in pieces of \(pieces)")
    }
  }

  /// A window that is all but full has room for less than a letter.
  @Test("is read into any room", arguments: [1, 2, 3, 63, 64, 65])
  func smallRoom(room: Int) throws {
    let text = Self.text(units: 200)
    for pieces in [1, 1 << 18] {
      #expect(try decode(Self.utf16(text, isBigEndian: true), pieces: pieces, room: room) == text)
      #expect(try decode(Array(text.utf8), pieces: pieces, room: room) == text)
    }
  }

  @Test("leaves UTF-8 as it is, whatever the pieces", arguments: [1, 2, 3, 1 << 18])
  func utf8(pieces: Int) throws {
    for text in ["", "i", "id", "\u{FEFF}id,é\n", "id,😀\n"] {
      #expect(try decode(Array(text.utf8), pieces: pieces) == text)
    }
  }

  @Test("names a packed input, whatever the pieces", arguments: [1, 2, 1 << 18])
  func packed(pieces: Int) {
    let error = #expect(throws: ImportError.self) { try decode([0x1F, 0x8B, 8, 0], pieces: pieces) }
    #expect(error?.summary == "input is compressed by gzip")
  }

  /// Converters keep a letter back that a following mark might change: https://man7.org/linux/man-pages/man3/iconv.3.html
  @Test(
    "loses nothing at the end",
    arguments: [
      ("WINDOWS-1258", Array("id,name\n1,ma".utf8), "id,name\n1,ma"), ("WINDOWS-1258", [0x61, 0xEC], "á"),
      ("WINDOWS-1255", [0xE0], "א"), ("TCVN", Array("ma".utf8), "ma"), ("WINDOWS-1252", [0xE9], "é"),
      ("WINDOWS-1258", [], ""),
    ] as [(String, [UInt8], String)])
  func end(encoding: String, bytes: [UInt8], text: String) throws {
    for (pieces, room) in [(1, 1 << 18), (1 << 18, 1 << 18), (1 << 18, 4), (1 << 18, 1)] {
      #expect(try decode(bytes, encoding, pieces: pieces, room: room) == text, "pieces of \(pieces), room for \(room)")
    }
  }

  @Test("is refused with the line and the byte that the encoding lacks")
  func unknownByte() {
    let bytes = Array("a\nJos".utf8) + [0xE9, 0x0A, 0x8D, 0x0A]
    for room in [1 << 18, 4] {
      let error = #expect(throws: ImportError.self) { try decode(bytes, "WINDOWS-1252", pieces: 1 << 18, room: room) }
      #expect(error?.summary == "input, line 3: the byte 0x8d is not in WINDOWS-1252")
      #expect(error?.details == ["try --encoding iso-8859-1 or macintosh"])
    }
  }

  @Test("is refused where the input ends within a letter")
  func cutLetter() {
    for bytes in [[0xFF, 0xFE, 0x41], [0xFF, 0xFE, 0x3D, 0xD8]] as [[UInt8]] {
      let error = #expect(throws: ImportError.self) { try decode(bytes, pieces: 1 << 18) }
      #expect(error?.summary == "input is not in UTF-16")
    }
  }
}
