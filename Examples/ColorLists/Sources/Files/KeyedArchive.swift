import ErrorHandling
import Foundation

/// A list of colors as NSColorList archives itself: objects in a property list that refer to each other by number.
struct KeyedArchive {
  private let objects: [PropertyList]
  private let top: PropertyList

  init(_ bytes: [UInt8]) throws(InfrastructureError) {
    let list = try PropertyList(bytes)
    guard case .array(let objects)? = list["$objects"], let top = list["$top"] else {
      throw .unreadable("it is no keyed archive")
    }
    (self.objects, self.top) = (objects, top)
  }

  /// The colors of the archive, by its names.
  func colors() throws(InfrastructureError) -> [NamedColor] {
    let (names, colors) = (try elements("NSKeys"), try elements("NSColors"))
    guard names.count == colors.count else {
      throw .unreadable("it has \(names.count) names for \(colors.count) colors")
    }
    var found: [NamedColor] = []
    for (name, color) in zip(names, colors) {
      guard case .text(let name) = name else { throw .unreadable("a name is no text") }
      guard let color = self.color(color, depth: 0) else { throw .unreadable("\(name) is no color of numbers") }
      found.append(NamedColor(name: name, color: color))
    }
    return found
  }

  private func color(_ object: PropertyList, depth: Int) -> Color? {
    guard depth < 4, case .number(let space)? = value("NSColorSpace", of: object) else { return nil }
    // Its own channels in sRGB say more than those that are there for older systems.
    if case .number(7)? = value("NSCustomColorSpace", of: object).flatMap({ value("NSID", of: $0) }),
      let channels = numbers("NSComponents", of: object)
    {
      return Color(space: 2, channels: channels)
    }
    // One of a catalog holds another, which is what it looked like.
    if space == 6, let looks = value("NSColor", of: object) { return color(looks, depth: depth + 1) }
    let key = [1: "NSRGB", 2: "NSRGB", 3: "NSWhite", 4: "NSWhite", 5: "NSCMYK"][space] ?? ""
    return numbers(key, of: object).flatMap { Color(space: space, channels: $0) }
  }

  /// Numbers as text: "0.1 0.2 0.3", with a null byte behind it or without one.
  private func numbers(_ key: String, of object: PropertyList) -> [Double]? {
    guard case .data(let text)? = value(key, of: object) else { return nil }
    let words = text.split { $0 == UInt8(ascii: " ") || $0 == 0 }
    let numbers = words.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    return numbers.count == words.count ? numbers : nil
  }

  /// The elements of an array at the top of the archive.
  func elements(_ key: String) throws(InfrastructureError) -> [PropertyList] {
    guard case .array(let elements)? = value(key, of: top).flatMap({ value("NS.objects", of: $0) }) else {
      throw .unreadable("it has no \(key)")
    }
    return elements.map(followed)
  }

  /// The value of a key of an object.
  func value(_ key: String, of object: PropertyList) -> PropertyList? { object[key].map(followed) }

  /// What a reference leads to, once, so that no circle is followed.
  private func followed(_ object: PropertyList) -> PropertyList {
    guard case .reference(let index) = object else { return object }
    return objects.indices.contains(index) ? objects[index] : .other
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
