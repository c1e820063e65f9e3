import Foundation

/// A folder of its own for an experiment, gone with it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "repository-kit-faults-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The size of a file in bytes, 0 where there is none.
  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
