import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An empty directory of its own for one test.
struct TemporaryDirectory: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/CSVTests.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in ["file", "fifo"] { _ = unlink("\(path)/\(name)") }
    _ = rmdir(path)
  }

  /// Writes a file.
  func file(_ text: String) throws -> String {
    let file = "\(path)/file"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { _ = close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
    return file
  }

  /// Makes a named pipe.
  func fifo() throws -> String {
    let fifo = "\(path)/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    return fifo
  }
}
