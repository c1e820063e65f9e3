import Foundation

/// The forms in which a list leaves the program.
enum Format: String, CaseIterable {
  case clr, css, swift, json, gpl

  /// A list as text; `nil` for a `.clr` file, which is none.
  func text(of list: ColorList) throws -> String? {
    let colors = list.colors
    switch self {
    case .clr: return nil
    case .css:
      let names = Self.unique(colors.map { (Self.words(list.name) + Self.words($0.name)).joined(separator: "-") })
      let lines = zip(names, colors).map { "  --\($0): \($1.color.rawValue.lowercased());" }
      return ([":root {"] + lines + ["}"]).joined(separator: "\n")
    // An enum of colors for SwiftUI.
    case .swift:
      let names = Self.unique(colors.map { Self.identifier($0.name, isType: false) })
      let lines = zip(names, colors).flatMap { name, named in
        let channels = named.color.channels.map { String(format: "%.4f", $0) }
        return [
          "  static let \(name) = Color(",
          "    .sRGB, red: \(channels[0]), green: \(channels[1]), blue: \(channels[2]), opacity: \(channels[3]))",
        ]
      }
      return (["import SwiftUI", "", "enum \(Self.identifier(list.name, isType: true)) {"] + lines + ["}"])
        .joined(separator: "\n")
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(list), as: UTF8.self)
    // The palette of GIMP and Inkscape, which knows no opacity.
    case .gpl:
      let lines = colors.map { named in
        let channels = [named.color.red, named.color.green, named.color.blue].map { String(format: "%3d", Int($0)) }
        return channels.joined(separator: " ") + "\t" + named.name.onOneLine
      }
      return (["GIMP Palette", "Name: \(list.name.onOneLine)", "#"] + lines).joined(separator: "\n")
    }
  }

  /// The letters and digits of a name, in words of lower case; every script's letters are letters.
  private static func words(_ name: String) -> [String] {
    let words = name.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    return words.isEmpty ? ["color"] : words
  }

  private static func identifier(_ name: String, isType: Bool) -> String {
    let name = words(name).enumerated().map { position, word in
      position == 0 && !isType ? word : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    if name.first?.isNumber == true { return "_" + name }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// Names of which each stands once; the later ones of a name are numbered.
  private static func unique(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let bare = name.filter { $0 != "`" }
      return (1...).lazy.map { $0 == 1 ? name : "\(bare)\($0)" }.first { taken.insert($0).inserted } ?? name
    }
  }

  /// The words of Swift that can't name a property as they are, of those that could name a color.
  private static let keywords = Set(
    """
    as break case catch class continue default defer do else enum extension false for func guard if import in init inout
    internal is let nil operator private protocol public repeat return self static struct subscript super switch throw
    true try var where while
    """.split { $0.isWhitespace }.map(String.init))
}

extension String {
  /// Without line breaks and other control characters, which would be commands to a terminal.
  var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
