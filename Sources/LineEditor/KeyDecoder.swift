/// Decodes the bytes that a terminal sends, which may arrive in any portions, into keys.
///
/// The sequences are those of ECMA-48 and xterm: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
struct KeyDecoder {
  /// The bytes that are not a complete key yet.
  private var pending: [UInt8] = []
  /// The text that has been pasted so far.
  private var pasted: [UInt8]?

  /// Whether an escape has arrived that may be a key, or the start of one.
  var isAmbiguous: Bool { pasted == nil && !pending.isEmpty }

  /// Adds bytes, and returns the keys that they complete.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      if pasted != nil {
        keys += paste(byte)
      } else {
        pending.append(byte)
        keys += take()
      }
    }
    return keys
  }

  /// Returns the key of the pending bytes, after which nothing has arrived for a while.
  mutating func finish() -> [Key] {
    guard isAmbiguous else { return [] }
    defer { pending = [] }
    return pending == [Self.escape] ? [.escape] : []
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The maximum number of bytes of a key; a longer sequence is not a key, and is dropped.
  private static let maximumLength = 32

  private mutating func paste(_ byte: UInt8) -> [Key] {
    pasted?.append(byte)
    guard byte == UInt8(ascii: "~"), let bytes = pasted, bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] else {
      return []
    }
    pasted = nil
    let text = String(decoding: bytes.dropLast(Self.pasteEnd.count), as: UTF8.self)
    // Terminals send a carriage return at the end of a line.
    var lines = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\n", last == "\r" {} else { lines.append(scalar == "\r" ? "\n" : scalar) }
      last = scalar
    }
    return [.paste(String(lines))]
  }

  private mutating func take() -> [Key] {
    guard let first = pending.first else { return [] }
    if first == Self.escape { return takeEscape() }
    if first < 0x20 || first == 0x7F {
      pending = []
      return [Self.control(first)]
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let isBroken = pending.count > 1 && pending[pending.count - 1] & 0xC0 != 0x80
    if isBroken {
      // The start of a character that is never completed is dropped; the byte after it begins another key.
      pending = Array(pending.suffix(1))
      return take()
    }
    guard pending.count >= length else { return [] }
    defer { pending = [] }
    return String(validating: pending, as: UTF8.self).map { [.text($0)] } ?? []
  }

  private static func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x00: .control(" ")
    default: .control(Character(Unicode.Scalar(byte | 0x60)))
    }
  }

  private mutating func takeEscape() -> [Key] {
    guard pending.count > 1 else { return [] }
    switch pending[1] {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      guard pending.count > 2, let last = pending.last else { return [] }
      guard 0x40...0x7E ~= last else {
        if pending.count > Self.maximumLength { pending = [] }
        return []
      }
      let parameters = String(decoding: pending[2..<(pending.count - 1)], as: UTF8.self)
      pending = []
      if last == UInt8(ascii: "~"), parameters == "200" {
        pasted = []
        return []
      }
      return Self.sequence(last, parameters).map { [$0] } ?? []
    case Self.escape:
      // Escape was pressed twice, or the second byte begins the sequence of another key.
      pending.removeFirst()
      return [.escape]
    case 0x7F, 0x08:
      pending = []
      return [.wordBackspace]
    case 0x20..<0x7F:
      let letter = Character(Unicode.Scalar(pending[1]))
      pending = []
      return [.alt(Character(letter.lowercased()))]
    default:
      pending.removeFirst()
      return take()
    }
  }

  private static func sequence(_ last: UInt8, _ parameters: String) -> Key? {
    // The second number encodes Shift, Alt and Control.
    let isModified = parameters.contains(";")
    return switch last {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): isModified ? .wordRight : .right
    case UInt8(ascii: "D"): isModified ? .wordLeft : .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "~"):
      switch parameters.prefix(while: { $0 != ";" }) {
      case "1", "7": .home
      case "4", "8": .end
      case "3": .delete
      default: nil
      }
    default: nil
    }
  }
}

/// A key or a paste at the keyboard of a terminal.
enum Key: Hashable {
  /// A piece of text: a character, or the output of an input method.
  case text(String)
  /// A text that was pasted as one, which may have several lines.
  case paste(String)
  /// A letter with the Control key, in lower case.
  case control(Character)
  /// A letter with the Alt key, in lower case.
  case alt(Character)
  case enter, tab, backspace, delete, escape
  case left, right, up, down, home, end, wordLeft, wordRight
  case wordBackspace
}
