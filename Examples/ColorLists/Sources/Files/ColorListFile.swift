import ErrorHandling
import Foundation

#if canImport(AppKit)
  import AppKit
#endif

/// A `.clr` file, as NSColorList keeps it in `~/Library/Colors`.
enum ColorListFile {
  /// Reads a file; its list has the file's name.
  static func read(path: String) throws(InfrastructureError) -> ColorList {
    let url = URL(filePath: path)
    return try InfrastructureError.translating("the file \(path) can't be read") {
      ColorList(
        name: url.deletingPathExtension().lastPathComponent, colors: try read([UInt8](try Data(contentsOf: url))))
    }
  }

  /// Reads a keyed archive, or the older typed stream. Where a name stands twice, the first color of it counts.
  static func read(_ bytes: [UInt8]) throws(InfrastructureError) -> [NamedColor] {
    let colors = TypedStream.begins(bytes) ? try TypedStream(bytes).colors() : try KeyedArchive(bytes).colors()
    var names: Set<String> = []
    return colors.filter { names.insert($0.name).inserted }
  }

  /// Writes a file that AppKit reads: where there is AppKit, by itself.
  static func write(_ list: ColorList, path: String) throws(InfrastructureError) {
    try writing(path) { url in
      #if canImport(AppKit)
        let file = NSColorList(name: list.name)
        for named in list.colors {
          let channels = named.color.channels.map { CGFloat($0) }
          let color = NSColor(srgbRed: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
          file.setColor(color, forKey: named.name)
        }
        try file.write(to: url)
      #else
        try KeyedArchive.bytes(of: list).write(to: url, options: .atomic)
      #endif
    }
  }

  /// Writes a list in a text form.
  static func write(_ text: String, path: String) throws(InfrastructureError) {
    try writing(path) { url in try Data("\(text)\n".utf8).write(to: url, options: .atomic) }
  }

  private static func writing(_ path: String, _ write: (URL) throws -> Void) throws(InfrastructureError) {
    try InfrastructureError.translating("the file \(path) can't be written") { try write(URL(filePath: path)) }
  }
}

extension InfrastructureError {
  /// Bytes that make no sense.
  static func unreadable(_ reason: String) -> InfrastructureError {
    InfrastructureError(.corrupt, reason, suggestion: "save it anew where it was made")
  }

  /// Bytes that end too early, or refer to what is not there.
  static var damaged: InfrastructureError { .unreadable("it is damaged, or a part of it is missing") }
}
