import ErrorHandling
import Foundation

/// A list of colors as NSColorList archives itself: objects in a property list that refer to each other by their places.
struct KeyedArchive: Decodable {
  private enum CodingKeys: String, CodingKey { case objects = "$objects", top = "$top" }

  private let objects: [Object]
  private let top: [String: Int]

  init(_ bytes: [UInt8]) throws(InfrastructureError) {
    guard let list = BinaryPropertyList.withPlainReferences(bytes) else {
      throw .unreadable("it does not begin as a property list")
    }
    guard let archive = try? PropertyListDecoder().decode(Self.self, from: list) else {
      throw .unreadable("it is no keyed archive")
    }
    self = archive
  }

  /// The colors of the archive, by its names.
  func colors() throws(InfrastructureError) -> [NamedColor] {
    let (names, colors) = (try elements("NSKeys"), try elements("NSColors"))
    guard names.count == colors.count else {
      throw .unreadable("it has \(names.count) names for \(colors.count) colors")
    }
    var found: [NamedColor] = []
    for (name, color) in zip(names, colors) {
      guard let name = name?.text else { throw .unreadable("a name is no text") }
      guard let color = self.color(color, depth: 0) else { throw .unreadable("\(name) is no color of numbers") }
      found.append(NamedColor(name: name, color: color))
    }
    return found
  }

  private func color(_ object: Object?, depth: Int) -> Color? {
    guard depth < 4, let object, let space: Int = object[.space] else { return nil }
    // Its own channels in sRGB say more than those that are there for older systems.
    if let own = self[object[.customSpace]], own[.id] == 7, let channels = object.numbers(.components) {
      return Color(space: 2, channels: channels)
    }
    // One of a catalog holds another, which is what it looked like.
    if space == 6 { return color(self[object[.looks]], depth: depth + 1) }
    let keys: [Int: Object.Key] = [1: .rgb, 2: .rgb, 3: .white, 4: .white, 5: .ink]
    return keys[space].flatMap(object.numbers).flatMap { Color(space: space, channels: $0) }
  }

  /// The elements of an array at the top of the archive.
  func elements(_ key: String) throws(InfrastructureError) -> [Object?] {
    guard let places: [Int] = self[top[key]]?[.elements] else { throw .unreadable("it has no \(key)") }
    return places.map { self[$0] }
  }

  /// The object at a place.
  subscript(_ place: Int?) -> Object? {
    place.flatMap { objects.indices.contains($0) ? objects[$0] : nil }
  }
}

extension KeyedArchive {
  /// A text, or values by their keys, which are read when they are asked for. A reference is the place of another object.
  struct Object: Decodable {
    let text: String?
    private let values: KeyedDecodingContainer<Key>?

    enum Key: String, CodingKey {
      case space = "NSColorSpace", customSpace = "NSCustomColorSpace", id = "NSID", looks = "NSColor"
      case components = "NSComponents", rgb = "NSRGB", white = "NSWhite", ink = "NSCMYK", elements = "NS.objects"
    }

    init(from decoder: any Decoder) {
      text = try? decoder.singleValueContainer().decode(String.self)
      values = text == nil ? try? decoder.container(keyedBy: Key.self) : nil
    }

    subscript<Value: Decodable>(_ key: Key) -> Value? {
      try? values?.decode(Value.self, forKey: key)
    }

    /// Numbers as text: "0.1 0.2 0.3", with a null byte behind it or without one.
    fileprivate func numbers(_ key: Key) -> [Double]? {
      guard let text: Data = self[key] else { return nil }
      let words = text.split { $0 == UInt8(ascii: " ") || $0 == 0 }
      let numbers = words.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
      return numbers.count == words.count ? numbers : nil
    }
  }
}

/// A binary property list, whose format CFBinaryPList.c of swift-corelibs-foundation describes in its comment.
private enum BinaryPropertyList {
  /// Returns the list with its references as numbers, since Foundation gives no access to them.
  ///
  /// What is too large for a part of a color becomes null, so that nothing large is read for each of many references to it.
  /// Foundation's PropertyListSerialization would unfold these until memory ends, and NSKeyedUnarchiver ends the program at
  /// some damaged archives.
  static func withPlainReferences(_ bytes: [UInt8]) -> Data? {
    var bytes = bytes
    let trailer = bytes.count - 32
    func number(_ position: Int, _ width: Int) -> Int? {
      guard position >= 0, (0...8).contains(width), position + width <= bytes.count else { return nil }
      return Int(exactly: bytes[position..<(position + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    guard bytes.starts(with: "bplist00".utf8), trailer >= 8, let count = number(trailer + 8, 8),
      let table = number(trailer + 24, 8), count <= bytes.count, table <= bytes.count
    else { return nil }
    let width = Int(bytes[trailer + 6])
    for index in 0..<count {
      guard let position = number(table + index * width, width), position < trailer else { continue }
      switch bytes[position] {
      case 0x80: bytes[position] = 0x10
      case 0x81: bytes[position] = 0x11
      case 0x83: bytes[position] = 0x12
      // Bytes and texts whose length has more than one byte, and a dictionary of more than 14 values.
      case 0x4F, 0x5F, 0x6F: if bytes[position + 1] != 0x10 { bytes[position] = 0 }
      case 0xDF: bytes[position] = 0
      default: break
      }
    }
    return Data(bytes)
  }
}

extension KeyedArchive {
  /// A list as NSColorList archives itself.
  ///
  /// By hand, as Foundation's NSKeyedArchiver writes no other name of a class than its own outside of Apple's systems. The
  /// references of a binary list are read from the words that XML has for them.
  static func bytes(of list: ColorList) throws -> Data {
    var objects: [Any] = ["$null"]
    func kept(_ object: Any) -> [String: Int] {
      objects.append(object)
      return ["CF$UID": objects.count - 1]
    }
    func itsClass(_ name: String) -> [String: Int] { kept(["$classname": name, "$classes": [name, "NSObject"]]) }
    let (color, array) = (itsClass("NSColor"), itsClass("NSArray"))
    // 7 is sRGB.
    let sRGB = kept(["$class": itsClass("NSColorSpace"), "NSID": 7] as [String: Any])
    let colors = list.colors.map { named in
      let channels = named.color.channels
      let generic = GenericRGB.channels(sRGB: Array(channels[..<3])) + (named.color.alpha == 255 ? [] : [channels[3]])
      return kept(
        [
          // Calibrated RGB, with a null byte behind the text: for systems that don't know sRGB.
          "$class": color, "NSColorSpace": 1, "NSRGB": text(of: generic) + [0], "NSComponents": text(of: channels),
          "NSCustomColorSpace": sRGB,
        ] as [String: Any])
    }
    let names = list.colors.map { kept($0.name) }
    let top = [("NSKeys", names), ("NSColors", colors)].map { key, elements in
      (key, kept(["$class": array, "NS.objects": elements] as [String: Any]))
    }
    let archive: [String: Any] = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$objects": objects,
      "$top": Dictionary(uniqueKeysWithValues: top),
    ]
    let xml = try PropertyListSerialization.data(fromPropertyList: archive, format: .xml, options: 0)
    return try PropertyListSerialization.data(
      fromPropertyList: try PropertyListSerialization.propertyList(from: xml, format: nil), format: .binary, options: 0)
  }

  private static func text(of channels: [Double]) -> Data {
    Data(channels.map { "\(($0 * 1e10).rounded() / 1e10)" }.joined(separator: " ").utf8)
  }
}
