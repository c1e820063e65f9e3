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
    let bytes = try File.naming(path, "read") { [UInt8](try Data(contentsOf: url)) }
    do {
      return ColorList(name: url.deletingPathExtension().lastPathComponent, colors: try read(bytes))
    } catch {
      throw InfrastructureError(
        error.code, "the file \(url.lastPathComponent) is no list of colors that can be read", reason: error.summary,
        suggestion: error.suggestion, underlying: error)
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
    #if canImport(AppKit)
      let file = NSColorList(name: list.name)
      for named in list.colors {
        let channels = named.color.channels.map { CGFloat($0) }
        let color = NSColor(srgbRed: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
        file.setColor(color, forKey: named.name)
      }
      try File.naming(path, "written") { try file.write(to: URL(filePath: path)) }
    #else
      try File.write(try File.naming(path, "written") { try KeyedArchive.bytes(of: list) }, path)
    #endif
  }
}

/// Files, with errors that name them.
enum File {
  static func write(_ bytes: Data, _ path: String) throws(InfrastructureError) {
    try naming(path, "written") { try bytes.write(to: URL(filePath: path), options: .atomic) }
  }

  static func naming<Result>(
    _ path: String, _ done: String, _ body: () throws -> Result
  ) throws(InfrastructureError) -> Result {
    do {
      return try body()
    } catch {
      let cause = AnyFriendlyError(error).chain.last
      throw InfrastructureError(
        InfrastructureError(error).code, "the file \(path) can't be \(done)", reason: cause?.summary,
        suggestion: cause?.suggestion, underlying: error)
    }
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
