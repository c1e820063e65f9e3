import ErrorHandling

/// What a binary property list holds, as far as keyed archives need it.
///
/// Foundation's own reader unfolds what is referred to from many places until memory ends, and NSKeyedUnarchiver ends the program at
/// some damaged archives. Source: CFBinaryPList.c of swift-corelibs-foundation, which describes the format in its comment.
enum PropertyList {
  case number(Int)
  case text(String)
  case data([UInt8])
  /// The number of an object of the archive.
  case reference(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  case other

  subscript(_ key: String) -> PropertyList? { if case .dictionary(let entries) = self { entries[key] } else { nil } }

  init(_ bytes: [UInt8]) throws(InfrastructureError) {
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
      throw .unreadable("it does not begin as a property list")
    }
    var reader = PropertyListReader(bytes: bytes, trailer: bytes.count - 32)
    self = try reader.object(try reader.number(reader.trailer + 16, 8), depth: 0)
  }
}

/// Reads objects by their numbers: no circle without end, and no more of them than a file of thousands of colors has.
private struct PropertyListReader {
  let bytes: [UInt8]
  let trailer: Int
  /// How many bytes of objects may still be read; one that is referred to from many places is read for each.
  private var budget = 16_000_000

  init(bytes: [UInt8], trailer: Int) { (self.bytes, self.trailer) = (bytes, trailer) }

  mutating func object(_ number: Int, depth: Int) throws(InfrastructureError) -> PropertyList {
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let (count, table) = (try self.number(trailer + 8, 8), try self.number(trailer + 24, 8))
    guard 0 <= number, number < count, count <= bytes.count, table <= bytes.count else { throw .damaged }
    var position = try self.number(table + number * offsetSize, offsetSize)
    let marker = try self.number(position, 1)
    var size = marker & 15
    position += 1
    if size == 15, marker >> 4 >= 4 {
      let width = 1 << (try self.number(position, 1) & 3)
      size = try self.number(position + 1, width)
      position += 1 + width
    }
    guard (0...bytes.count).contains(size) else { throw .damaged }
    budget -= size + 1
    guard depth < 8, budget > 0 else { throw .unreadable("it holds too much") }
    switch marker >> 4 {
    case 1: return .number(try self.number(position, 1 << min(size, 4)))
    case 4: return .data(Array(try slice(position, size)))
    case 5: return .text(String(decoding: try slice(position, size), as: UTF8.self))
    case 6: return .text(String(decoding: try numbers(position, size, width: 2).map { UInt16($0) }, as: UTF16.self))
    case 8: return .reference(try self.number(position, size + 1))
    case 10: return .array(try objects(position, size, referenceSize, depth))
    case 13:
      let objects = try objects(position, size * 2, referenceSize, depth)
      var entries: [String: PropertyList] = [:]
      for case (.text(let key), let value) in zip(objects[..<size], objects[size...]) { entries[key] = value }
      return .dictionary(entries)
    default: return .other
    }
  }

  private mutating func objects(
    _ position: Int, _ count: Int, _ width: Int, _ depth: Int
  ) throws(InfrastructureError) -> [PropertyList] {
    var objects: [PropertyList] = []
    for number in try numbers(position, count, width: width) { objects.append(try object(number, depth: depth + 1)) }
    return objects
  }

  private func numbers(_ position: Int, _ count: Int, width: Int) throws(InfrastructureError) -> [Int] {
    var numbers: [Int] = []
    for index in 0..<count { numbers.append(try number(position + index * width, width)) }
    return numbers
  }

  /// A number without a sign, its greatest byte first; one that no `Int` holds is -1, at which nothing is.
  func number(_ position: Int, _ width: Int) throws(InfrastructureError) -> Int {
    Int(exactly: try slice(position, width).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? -1
  }

  private func slice(_ position: Int, _ count: Int) throws(InfrastructureError) -> ArraySlice<UInt8> {
    guard (0...bytes.count).contains(position), (0...(bytes.count - position)).contains(count) else { throw .damaged }
    return bytes[position..<(position + count)]
  }
}
