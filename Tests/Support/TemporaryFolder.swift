import Foundation

/// A folder of its own for a test, gone with it.
package final class TemporaryFolder: Sendable {
  private let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "repository-kit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The folder's path, without a slash at its end.
  package var path: String {
    let path = url.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, in a folder that is made if need be, and returns its path.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return path(name)
  }

  /// The names of the files, in alphabetical order.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
