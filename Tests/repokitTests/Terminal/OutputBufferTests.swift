import Testing

@testable import repokit

@Suite("The output buffer")
struct OutputBufferTests {
  final class Writes { var sizes: [Int] = [] }

  @Test("writes much at once, and all of it in the end")
  func batches() throws {
    let writes = Writes()
    var output = OutputBuffer { bytes in writes.sizes.append(bytes.count) }
    for _ in 0..<10_000 {
      output.append(String(repeating: "x", count: 19) + "\n")
      try output.flushIfFull()
    }
    #expect(writes.sizes.count == 3)
    try output.flush()
    #expect(writes.sizes.reduce(0, +) == 200_000)
    try output.flush()
    #expect(writes.sizes.count == 4)
  }

  @Test("gives up with the error of the write", arguments: [OutputError.readerLeft, .failure(Failure("full"))])
  func failure(error: OutputError) {
    var output = OutputBuffer { _ throws(OutputError) in throw error }
    output.append("x")
    #expect(throws: error) { try output.flush() }
    // What could not be written is not tried again.
    #expect(throws: Never.self) { try output.flush() }
  }
}
