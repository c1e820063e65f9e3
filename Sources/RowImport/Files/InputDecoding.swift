#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

import Query

/// Converts text of another encoding to UTF-8, in pieces, with the system's iconv.
final class Transcoding {
  private let name: String
  private let encoding: String
  private let converter: iconv_t
  /// Bytes that are not converted yet: the start of a character that the end of a piece cut, or bytes without room in the buffer.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// The number of line feeds among the converted bytes.
  private var lineFeedCount = 0
  /// Bytes in UTF-8 for which the last buffer had no room.
  private var converted: [UInt8] = []
  /// The least room to convert into: a letter has up to four bytes, and a converter may give back several at once. A smaller
  /// buffer, such as the end of a window, would take none.
  private static let leastRoom = 64
  /// Whether the converter has given back what it kept of the last characters.
  private var isFlushed = false

  /// The encoding that a byte order mark denotes: UTF-16 of either order.
  static func encoding(ofMark bytes: [UInt8]) -> String? {
    switch bytes {
    case [0xFF, 0xFE], [0xFE, 0xFF]: "UTF-16"
    default: nil
    }
  }

  /// - Parameters:
  ///   - encoding: the name of the encoding, as iconv knows it.
  ///   - name: the name that messages use for the file.
  init(_ encoding: String, of name: String) throws(ImportError) {
    (self.name, self.encoding) = (name, encoding)
    converter = iconv_open("UTF-8", encoding)
    if converter == iconv_t(bitPattern: -1) {
      throw ImportError(
        "unknown encoding \(encoding)", details: ["iconv --list shows the encodings, such as WINDOWS-1252"],
        isUsageError: true)
    }
  }

  deinit { if converter != iconv_t(bitPattern: -1) { iconv_close(converter) } }

  /// Fills a buffer with the next bytes in UTF-8.
  ///
  /// - Parameter read: fills a buffer with further bytes of the file, and returns their number, 0 at the end of the file.
  /// - Returns: the number of bytes in UTF-8, 0 at the end.
  func next(
    into buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    if converted.isEmpty {
      if buffer.count >= Self.leastRoom { return try fill(buffer, read) }
      var bytes: [UInt8] = Array(repeating: 0, count: Self.leastRoom)
      let count = try bytes.withUnsafeMutableBytes { try fill($0, read) }
      converted = Array(bytes.prefix(count))
    }
    let part = converted.prefix(buffer.count)
    buffer.copyBytes(from: part)
    converted.removeFirst(part.count)
    return part.count
  }

  /// Fills a buffer with room for any letter.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    while true {
      if !isAtEnd, rest.count < 1 << 15 {
        let piece: [UInt8] = try Array(unsafeUninitializedCapacity: 1 << 16) { bytes, count in
          count = try read(UnsafeMutableRawBufferPointer(bytes))
        }
        rest += piece
        isAtEnd = piece.isEmpty
      }
      if rest.isEmpty { return isFlushed ? 0 : flush(into: buffer) }
      let count = try convert(into: buffer)
      if count > 0 { return count }
    }
  }

  /// Ends the conversion: some converters keep a letter back, since a mark that follows may become part of it.
  /// https://man7.org/linux/man-pages/man3/iconv.3.html
  private func flush(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    isFlushed = true
    var (target, room) = (buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    _ = iconv(converter, nil, nil, &target, &room)
    return buffer.count - room
  }

  /// Converts as many bytes as there is room for.
  private func convert(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    var code: Int32 = 0
    let (used, written) = rest.withUnsafeMutableBytes { bytes in
      var (source, left) = (bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      var (target, room) = (buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      if iconv(converter, &source, &left, &target, &room) == Int(bitPattern: UInt.max) { code = errno }
      return (bytes.count - left, buffer.count - room)
    }
    lineFeedCount += rest.prefix(used).count { $0 == 0x0A }
    let invalid = rest.count > used ? rest[used] : nil
    rest.removeFirst(used)
    // E2BIG means that the buffer is full, so that the next call continues; EINVAL, that the bytes end within a character.
    if code == EILSEQ || code == EINVAL && isAtEnd {
      throw error(at: invalid)
    }
    return written
  }

  private func error(at byte: UInt8?) -> ImportError {
    // In other encodings, a line feed has several bytes.
    guard let byte, !encoding.hasPrefix("UTF-16"), !encoding.hasPrefix("UTF-32"), !encoding.hasPrefix("UCS") else {
      return ImportError("\(name) is not in \(encoding)", details: ["--encoding sets another encoding"])
    }
    let digits = "0x" + Hexadecimal.digits(of: UInt32(byte), atLeast: 2)
    let others = ["ISO-8859-1", "MACINTOSH", "WINDOWS-1252"].filter { $0 != encoding }.prefix(2)
    return ImportError(
      "\(name), line \(lineFeedCount + 1): the byte \(digits) is not in \(encoding)",
      details: ["try --encoding \(others.joined(separator: " or ").lowercased())"])
  }
}

/// The text of an input in UTF-8, in pieces: its first bytes may tell another encoding.
struct InputDecoding {
  private let name: String
  private var transcoding: Transcoding?
  /// The first bytes that have not been handed on; `nil` before they are read.
  private var start: [UInt8]?
  /// Whether the input ends with these bytes: a terminal would ask for more.
  private var endsWithStart = false

  /// - Parameters:
  ///   - encoding: the name of the encoding; `nil` for UTF-8, unless a byte order mark denotes another one.
  ///   - name: the name that messages use for the file.
  init(_ encoding: String?, of name: String) throws(ImportError) {
    self.name = name
    transcoding = try encoding.map { encoding throws(ImportError) in try Transcoding(encoding, of: name) }
  }

  /// Fills a buffer with the next bytes in UTF-8.
  ///
  /// - Parameter read: fills a buffer with further bytes of the file, and returns their number, 0 at the end of the file.
  /// - Returns: the number of bytes in UTF-8, 0 at the end.
  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    var start = try self.start ?? examinedStart(read)
    defer { self.start = start }
    func readOn(_ room: UnsafeMutableRawBufferPointer) throws -> Int {
      if start.isEmpty { return try endsWithStart ? 0 : read(room) }
      let part = start.prefix(room.count)
      room.copyBytes(from: part)
      start.removeFirst(part.count)
      return part.count
    }
    return try transcoding?.next(into: buffer, readOn) ?? readOn(buffer)
  }

  /// Reads the first bytes, as many as a mark has, and chooses the encoding by them. A pipe may hand on a byte at a time.
  private mutating func examinedStart(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> [UInt8] {
    var mark: [UInt8] = []
    while mark.count < Unpacking.mark.count {
      var next: [UInt8] = Array(repeating: 0, count: Unpacking.mark.count - mark.count)
      let count = try next.withUnsafeMutableBytes { try read($0) }
      endsWithStart = count == 0
      if endsWithStart { break }
      mark += next.prefix(count)
    }
    if mark == Unpacking.mark {
      throw ImportError(
        "\(name) is compressed by gzip", details: ["unpack the input with gunzip, or name the file"])
    }
    if transcoding == nil, let encoding = Transcoding.encoding(ofMark: mark) {
      transcoding = try Transcoding(encoding, of: name)
    }
    return mark
  }
}
