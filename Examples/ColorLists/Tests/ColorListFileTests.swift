import ErrorHandling
import Foundation
import Testing

@testable import clr

@Suite("Files of colors")
struct ColorListFileTests {
  private static let brand = ColorList(
    name: "Brand",
    colors: [
      NamedColor(name: "Red", color: Color(red: 0xE6, green: 0, blue: 0x12)),
      NamedColor(name: "空 blue", color: Color(red: 0, green: 0x68, blue: 0xB7, alpha: 0x80)),
    ])

  /// Names that another form would have to escape.
  private static let odd = ColorList(
    name: "Brand",
    colors: [
      "<b>&amp;", "]]>", "\r\n\t\u{1B}", "  ", "🎨\u{FEFF}", "a\0b", "CF$UID", String(repeating: "x", count: 255),
      String(repeating: "空", count: 255),
    ].map {
      NamedColor(name: $0, color: brand.colors[0].color)
    })

  /// The stream of a list as NeXTSTEP's NSArchiver writes it, made by hand: red, a gray, an ink and a color of a catalog.
  private static func stream(isBigEndian: Bool = false) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    func float(_ value: Float) -> [UInt8] {
      let bytes = withUnsafeBytes(
        of: isBigEndian ? value.bitPattern.bigEndian : value.bitPattern.littleEndian, Array.init)
      return [0x83] + bytes
    }
    let version: [UInt8] = isBigEndian ? [0x81, 0x03, 0xE8] : [0x81, 0xE8, 0x03]
    var bytes: [UInt8] = [4] + text(isBigEndian ? "typedstream" : "streamtyped") + version
    // Strings: 92 i, 93 @i, 94 @@, 95 NSColor, 96 NSObject, 97 c, 98 ffff, 99 NSString, 9A +, 9B ff, 9C fffff, 9D @@@
    bytes += [0x84] + text("i") + [1, 0x84] + text("@i") + [0x85, 4, 0x84] + text("@@")
    // Objects: 92 the color, 93 NSColor, 94 NSObject, 95 the name, 96 NSString
    bytes += [0x84, 0x84, 0x84] + text("NSColor") + [0, 0x84, 0x84] + text("NSObject") + [0, 0x85]
    bytes += [0x84] + text("c") + [2, 0x84] + text("ffff") + [1, 0] + float(0.2) + [1, 0x86]
    bytes += [0x84, 0x84, 0x84] + text("NSString") + [1, 0x94, 0x84] + text("+") + text("Red") + [0x86]
    bytes += [0x94, 0x84, 0x93, 0x97, 4, 0x84] + text("ff") + float(0.5) + [1, 0x86]
    bytes += [0x84, 0x96, 0x9A] + text("Gray") + [0x86]
    bytes += [0x94, 0x84, 0x93, 0x97, 5, 0x84] + text("fffff") + [0, 1, 1, 0, 1, 0x86]
    bytes += [0x84, 0x96, 0x9A] + text("Ink") + [0x86]
    // Names of the catalog and the color, which are the ones from above, and the color itself.
    bytes += [0x94, 0x84, 0x93, 0x97, 6, 0x84] + text("@@@") + [0x95, 0x95, 0x92, 0x86]
    return bytes + [0x84, 0x96, 0x9A] + text("Named") + [0x86]
  }

  private func temporary(_ name: String = "Brand.clr") -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: name).path()
  }

  @Test("what is written is read again", arguments: [brand, ColorList(name: "Brand", colors: []), odd])
  func roundTrip(list: ColorList) throws {
    let path = temporary()
    try ColorListFile.write(list, path: path)
    #expect(try ColorListFile.read(path: path) == list)
  }

  @Test("an archive has the keys and classes that NSColorList looks for")
  func archive() throws {
    let path = temporary()
    try ColorListFile.write(Self.brand, path: path)
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: URL(filePath: path)), format: nil)
    let xml = String(
      decoding: try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0), as: UTF8.self)
    for (text, count) in [
      ("<string>NSKeyedArchiver</string>", 1), ("<key>NSKeys</key>", 1), ("<key>NSColors</key>", 1),
      ("<key>$classname</key>\n\t\t\t<string>NSColor</string>", 1), ("<key>NSColorSpace</key>", 2),
      ("<key>NSComponents</key>", 2), ("<key>NSCustomColorSpace</key>", 2), ("<key>NSRGB</key>", 2),
      ("<key>NSID</key>\n\t\t\t<integer>7</integer>", 1),
    ] {
      #expect(xml.split(separator: text, omittingEmptySubsequences: false).count - 1 == count, "\(text) in \(xml)")
    }
    let archive = try KeyedArchive([UInt8](try Data(contentsOf: URL(filePath: path))))
    for color in try archive.elements("NSColors") {
      let text: Data? = color?[.rgb]
      #expect(text?.last == 0)
    }
  }

  /// A binary property list of objects, the last of which is its root.
  private static func propertyList(_ objects: [[UInt8]]) -> [UInt8] {
    func big(_ number: Int, _ width: Int) -> [UInt8] {
      (1...width).map { UInt8(truncatingIfNeeded: number >> ((width - $0) * 8)) }
    }
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets += big(bytes.count, 4)
      bytes += object
    }
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 1] + big(objects.count, 8) + big(objects.count - 1, 8)
      + big(bytes.count, 8)
  }

  /// The objects of an archive in which a name and a color stand thousands of times.
  private static func archive(name: [UInt8], color: [UInt8]) -> [[UInt8]] {
    func text(_ text: String) -> [UInt8] { [0x50 + UInt8(text.utf8.count)] + Array(text.utf8) }
    // 0x7530 are 30,000.
    func array(_ elements: UInt8...) -> [UInt8] {
      [0xAF, 0x11, 0x75, 0x30] + [[UInt8]](repeating: elements, count: 30_000).joined()
    }
    let keys = ["$objects", "$top", "NSKeys", "NSColors", "NS.objects", "NSColorSpace", "NSWhite", "NSColor"]
    let lists: [[UInt8]] = [[0x80, 2], [0x80, 3], array(12), array(13), [0xD1, 4, 14], [0xD1, 4, 15]]
    let top: [[UInt8]] = [[0x80, 0], [0x80, 1], [0xD2, 2, 3, 18, 19]]
    // The lists of names and colors, and the two again and again; their places are 2 and 3.
    let objects = [0xAF, 0x11, 0x75, 0x32, 16, 17] + [[UInt8]](repeating: [10, 11], count: 15_000).joined()
    return keys.map(text) + [[0x10, 3], [0x43] + Array("0.5".utf8), name, color] + lists + top
      + [objects, [0xD2, 0, 1, 21, 20]]
  }

  @Test(
    "what many references lead to is read for each of them, and refused at once where it is large",
    arguments: [
      ([0x51, 65], [0xD2, 5, 6, 8, 9], nil),
      // A text of 65,536 letters, one that never ends, and colors of 4,096 values or within themselves.
      ([0x5F, 0x12, 0, 1, 0, 0] + [UInt8](repeating: 65, count: 65_536), [0xD2, 5, 6, 8, 9], "a name is no text"),
      ([0x5F, 0x10, 255], [0xD2, 5, 6, 8, 9], "a name is no text"),
      (
        [0x51, 65], [0xDF, 0x11, 16, 0] + [UInt8](repeating: 5, count: 4_096) + [UInt8](repeating: 8, count: 4_096),
        "A is no color of numbers"
      ),
      ([0x51, 65], [0xD1, 11, 11], "A is no color of numbers"), ([0x51, 65], [0xA1, 11], "A is no color of numbers"),
    ] as [([UInt8], [UInt8], String?)])
  func references(name: [UInt8], color: [UInt8], message: String?) throws {
    let bytes = Self.propertyList(Self.archive(name: name, color: color))
    guard let message else {
      return #expect(try ColorListFile.read(bytes) == [NamedColor(name: "A", color: Color(channels: [0.5, 0.5, 0.5]))])
    }
    let error = #expect(throws: InfrastructureError.self) { try ColorListFile.read(bytes) }
    #expect(error?.summary == message)
  }

  @Test(
    "a list that would unfold without end is no archive",
    arguments: [
      // Arrays of eight arrays of eight, and so on; one that holds itself; a dictionary that is its own key.
      [[0x51, 65]] + (0..<24).map { [0xA8] + [UInt8](repeating: $0, count: 8) }, [[0xA2, 0, 0]], [[0xD1, 0, 0]],
    ] as [[[UInt8]]])
  func unfolding(_ objects: [[UInt8]]) {
    let error = #expect(throws: InfrastructureError.self) { try ColorListFile.read(Self.propertyList(objects)) }
    #expect(error?.summary == "it is no keyed archive")
  }

  @Test("a typed stream of either order of bytes is read", arguments: [false, true])
  func typedStream(isBigEndian: Bool) throws {
    let colors = try ColorListFile.read(Self.stream(isBigEndian: isBigEndian))
    #expect(colors.map(\.name) == ["Red", "Gray", "Ink", "Named"])
    #expect(colors.map(\.color.rawValue) == ["#FF0033", "#808080", "#FF0000", "#FF0033"])
  }

  @Test("a stream whose color has no space that there is, is refused", arguments: [Float.nan, .infinity, 1e30, 0.5])
  func unknownSpace(_ space: Float) {
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    let bits = withUnsafeBytes(of: space.bitPattern.littleEndian, Array.init)
    var bytes: [UInt8] = [4] + text("streamtyped") + [0x81, 0xE8, 0x03, 0x84] + text("@")
    bytes += [0x84, 0x84, 0x84] + text("NSColor") + [0, 0x85, 0x84] + text("f") + [0x83] + bits + [0x86]
    bytes += [0x92, 0x84, 0x84, 0x84] + text("NSString") + [1, 0x85, 0x84] + text("+") + text("Red") + [0x86]
    let error = #expect(throws: InfrastructureError.self) { try ColorListFile.read(bytes) }
    #expect(error?.summary == "Red is no color of numbers")
  }

  @Test("Generic RGB is one for every color of sRGB, there and back")
  func genericRGB() {
    // Within the gamut of both: what one has beyond the other is cut off at its border.
    for red in stride(from: 60, through: 195, by: 15) {
      for (green, blue) in [(60, 60), (60, 190), (128, 70), (red, red), (190, 150)] {
        let color = Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
        let back = GenericRGB.sRGB(GenericRGB.channels(sRGB: Array(color.channels[..<3])))
        #expect(Color(channels: back) == color)
      }
    }
    #expect(GenericRGB.sRGB([1, 1, 1]).allSatisfy { abs($0 - 1) < 1e-9 } && GenericRGB.sRGB([0, 0, 0]) == [0, 0, 0])
  }

  @Test("damaged bytes are an error, whichever and wherever")
  func damage() throws {
    let path = temporary()
    try ColorListFile.write(Self.brand, path: path)
    let seed = UInt64.random(in: 0...(.max))
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for whole in [[UInt8](try Data(contentsOf: URL(filePath: path))), Self.stream()] {
      for count in 0..<whole.count { _ = try? ColorListFile.read(Array(whole[..<count])) }
      for _ in 0..<5_000 {
        var bytes = whole
        for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
        do {
          _ = try ColorListFile.read(bytes)
        } catch {
          #expect(error.code == .corrupt && error.suggestion != nil, "seed \(seed)")
        }
      }
    }
  }

  @Test("a file that is none, or is not there, is told by its name")
  func unreadable() throws {
    let path = temporary("notes.clr")
    try Data("no colors".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: InfrastructureError.self) { try ColorListFile.read(path: path) }
    #expect(error?.code == .corrupt && error?.summary == "the file \(path) can't be read")
    #expect(error?.reason == "it does not begin as a property list")
    let missing = #expect(throws: InfrastructureError.self) { try ColorListFile.read(path: path + "x") }
    #expect(missing?.code == .missing && missing?.summary == "the file \(path)x can't be read")
  }

  /// Files of others, with the values that their projects publish. One step of 255 may be lost by rounding; Nord's file itself
  /// is up to four off, in both of the spaces that it tells.
  @Test("real lists are read", .enabled(if: ProcessInfo.processInfo.environment["REPOKIT_CLR"] != nil))
  func real() throws {
    let folder = ProcessInfo.processInfo.environment["REPOKIT_CLR"] ?? ""
    let nord = """
      2E3440 3B4252 434C5E 4C566A D8DEE9 E5E9F0 ECEFF4 8FBCBB 88C0D0 81A1C1 5E81AC BF616A D08770 EBCB8B A3BE8C B48EAD
      """
    let solarized = """
      002B36 073642 586E75 657B83 839496 93A1A1 EEE8D5 FDF6E3 B58900 CB4B16 DC322F D33682 6C71C4 268BD2 2AA198 859900
      """
    for (file, values, first, steps) in [
      ("nord", nord, "nord0", 4.01), ("solarized", solarized, "Solarized Base03", 1.01),
      ("solarized-tagged", solarized, "Solarized Base03 tagged", 1.01),
    ] {
      let colors = try ColorListFile.read(path: "\(folder)/\(file).clr").colors
      let expected = values.split(separator: " ").compactMap { Color(rawValue: String($0)) }
      #expect(colors.count == 16 && expected.count == 16 && colors.first?.name == first)
      for (color, expected) in zip(colors, expected) {
        for (first, second) in zip(color.color.channels, expected.channels) {
          #expect(abs(first - second) * 255 < steps, "\(file) \(color)")
        }
      }
    }
  }
}
