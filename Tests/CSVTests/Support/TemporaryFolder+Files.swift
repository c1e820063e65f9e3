import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TemporaryFolder {
  /// Writes a file.
  func file(_ text: String) throws -> String { try write(text.utf8, to: "file") }

  /// Makes a named pipe.
  func fifo() throws -> String {
    let fifo = path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    return fifo
  }
}
