import Foundation
import Testing

@testable import FuzzLaws

@Suite("What fuzzing begins with, and what it found")
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")

  /// A broken law ends the process, as `make fuzz` needs it, and says what it is.
  @Test("keeps every law", .serialized, arguments: Subject.allCases)
  func laws(of subject: Subject) async throws {
    var inputs: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false)) {
      let bytes = try Data(contentsOf: Self.folder.appending(path: name))
      guard bytes.first.flatMap(Subject.init(letter:)) == subject else { continue }
      inputs.append(String(decoding: bytes.dropFirst(), as: UTF8.self))
    }
    #expect(!inputs.isEmpty)
    // On a thread that no task needs: a law waits for what it asks of a service.
    await withCheckedContinuation { [inputs] continuation in
      DispatchQueue.global().async {
        inputs.forEach(subject.check)
        continuation.resume()
      }
    }
  }
}
