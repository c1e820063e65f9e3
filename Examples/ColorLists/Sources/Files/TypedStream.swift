import ErrorHandling

/// What NSArchiver wrote before there were keyed archives: values by their Objective-C type codes, in the order of writing.
///
/// Apple documents no byte of it. As far as color lists go: a header with the version 4, a signature whose spelling tells the
/// order of bytes, and the system's version; then groups, each a string of type codes and a value for each of them. Strings,
/// classes and objects are written once, and referred to by number from then on.
struct TypedStream {
  private enum Value {
    case number(Double)
    case bytes([UInt8])
    /// The number of an object in the stream, or none.
    case object(Int?)
  }

  /// The values outside of every object.
  private var values: [Value] = []
  /// By number, classes among them, which have no values.
  private var objects: [(className: String, values: [Value])] = []
  private var strings: [String] = []
  private var rest: ArraySlice<UInt8>
  private let isBigEndian: Bool

  private enum Label {
    static let int16: UInt8 = 0x81, int32: UInt8 = 0x82, float: UInt8 = 0x83
    static let new: UInt8 = 0x84, null: UInt8 = 0x85, end: UInt8 = 0x86
    /// The first reference; labels and references share one byte with small numbers.
    static let reference = -110
  }

  /// Whether bytes begin as such a stream does.
  static func begins(_ bytes: [UInt8]) -> Bool {
    ["streamtyped", "typedstream"].contains { bytes.starts(with: [4, 11] + Array($0.utf8)) }
  }

  /// Reads a whole stream, which begins as one.
  init(_ bytes: [UInt8]) throws(InfrastructureError) {
    isBigEndian = bytes[2] == UInt8(ascii: "t")
    rest = bytes[13...]
    _ = try integer()
    while !rest.isEmpty { values += try group(depth: 0) }
  }

  /// The colors that stand in front of names.
  func colors() throws(InfrastructureError) -> [NamedColor] {
    var found: [NamedColor] = []
    var last: Int?
    for case .object(let number?) in values {
      if objects[number].className == "NSColor" {
        last = number
      } else if let color = last, case .bytes(let name)? = objects[number].values.first {
        let name = String(decoding: name, as: UTF8.self)
        guard let color = self.color(color, depth: 0) else { throw .unreadable("\(name) is no color of numbers") }
        found.append(NamedColor(name: name, color: color))
        last = nil
      }
    }
    return found
  }

  /// The color of an object; one of a catalog holds another, which is what it looked like.
  private func color(_ number: Int, depth: Int) -> Color? {
    let values = objects[number].values
    guard depth < 4, case .number(let space)? = values.first else { return nil }
    if space == 6, case .object(let looks?)? = values.last { return color(looks, depth: depth + 1) }
    return Color(
      space: Int(exactly: space) ?? 0,
      channels: values.dropFirst().compactMap { if case .number(let number) = $0 { number } else { nil } })
  }

  private mutating func group(depth: Int) throws(InfrastructureError) -> [Value] {
    let types = try string()
    var values: [Value] = []
    for type in types.utf8 { values.append(try value(of: type, depth: depth)) }
    return values
  }

  private mutating func value(of type: UInt8, depth: Int) throws(InfrastructureError) -> Value {
    switch Character(Unicode.Scalar(type)) {
    case "c", "C": .number(Double(try byte()))
    case "s", "S", "i", "I", "l", "L", "q", "Q": .number(Double(try integer()))
    case "f": .number(try float(size: 4))
    case "d": .number(try float(size: 8))
    case "+": .bytes(try bytes(try integer()))
    case "@": .object(try object(depth: depth))
    default: throw .unreadable("it has a value of the type \(Character(Unicode.Scalar(type)))")
    }
  }

  /// An object that is new here, that was read before, or none.
  private mutating func object(depth: Int) throws(InfrastructureError) -> Int? {
    guard depth < 16 else { throw .damaged }
    if take(Label.null) { return nil }
    if !take(Label.new) { return try reference(below: objects.count) }
    let number = objects.count
    objects.append(("", []))
    objects[number].className = try className()
    while !take(Label.end) { objects[number].values += try group(depth: depth + 1) }
    return number
  }

  /// The name of a class that is new here, with its version and those above it, or that was read before.
  private mutating func className() throws(InfrastructureError) -> String {
    var first: String?
    while take(Label.new) {
      let name = try string()
      _ = try integer()
      objects.append((name, []))
      first = first ?? name
    }
    if let first, take(Label.null) { return first }
    let known = objects[try reference(below: objects.count)].className
    return first ?? known
  }

  private mutating func string() throws(InfrastructureError) -> String {
    if !take(Label.new) { return strings[try reference(below: strings.count)] }
    let string = String(decoding: try bytes(try integer()), as: UTF8.self)
    strings.append(string)
    return string
  }

  private mutating func reference(below count: Int) throws(InfrastructureError) -> Int {
    let number = try integer() - Label.reference
    guard (0..<count).contains(number) else { throw .damaged }
    return number
  }

  private mutating func take(_ label: UInt8) -> Bool {
    if rest.first != label { return false }
    rest.removeFirst()
    return true
  }

  private mutating func byte() throws(InfrastructureError) -> UInt8 { try bytes(1)[0] }

  private mutating func bytes(_ count: Int) throws(InfrastructureError) -> [UInt8] {
    guard (0...rest.count).contains(count) else { throw .damaged }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Bytes as a number without a sign, in the stream's order.
  private mutating func bits(_ count: Int) throws(InfrastructureError) -> UInt64 {
    let bytes = try bytes(count)
    return (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func integer() throws(InfrastructureError) -> Int {
    switch try byte() {
    case Label.int16: Int(Int16(truncatingIfNeeded: try bits(2)))
    case Label.int32: Int(Int32(truncatingIfNeeded: try bits(4)))
    case Label.float...Label.end: throw .damaged
    case let small: Int(Int8(bitPattern: small))
    }
  }

  private mutating func float(size: Int) throws(InfrastructureError) -> Double {
    guard take(Label.float) else { return Double(try integer()) }
    let bits = try bits(size)
    return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
  }
}
