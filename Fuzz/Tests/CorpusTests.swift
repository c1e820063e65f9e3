import Foundation
import TestSupport
import Testing

@testable import FuzzLaws

@Suite("What fuzzing begins with, and what it found")
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")

  /// A broken law ends the process, as `make fuzz` needs it, and says what it is.
  @Test("keeps every law", .serialized, arguments: Subject.allCases)
  func laws(of subject: Subject) async throws {
    let inputs = try Self.inputs(of: subject).map { String(decoding: $0, as: UTF8.self) }
    #expect(!inputs.isEmpty)
    await Self.awayFromTasks { inputs.forEach(subject.check) }
  }

  #if DEBUG && (os(Linux) || os(macOS))
    /// What libFuzzer does for longer, without it: in a process of its own, which a broken law ends.
    @Test("keeps every law where it is changed at random")
    func changedInputs() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
        FileHandle.standardError.write(Data("REPOKIT_SEED=\(seed)\n".utf8))
        for subject in Subject.allCases {
          var changes = InputChanges(try Self.inputs(of: subject), SplitMix64(seed: seed))
          let inputs = (0..<Effort.rounds(10_000)).map { _ in String(decoding: changes.next(), as: UTF8.self) }
          FileHandle.standardError.write(Data("reading \(subject)\n".utf8))
          await Self.awayFromTasks { inputs.forEach(subject.check) }
        }
      }
      guard let result, result.exitStatus != .exitCode(EXIT_SUCCESS) else { return }
      Issue.record("\(String(decoding: result.standardErrorContent, as: UTF8.self))")
    }
  #endif

  /// The corpus of one subject, without the letter.
  private static func inputs(of subject: Subject) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted().compactMap {
      name in
      let bytes = try Data(contentsOf: folder.appending(path: name))
      return bytes.first.flatMap(Subject.init(letter:)) == subject ? Array(bytes.dropFirst()) : nil
    }
  }

  /// On a thread that no task needs: a law waits for what it asks of a service.
  private static func awayFromTasks(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        body()
        continuation.resume()
      }
    }
  }
}

/// Makes inputs out of others as libFuzzer does: bytes that change, go, come again, or come from another input.
private struct InputChanges {
  private let inputs: [[UInt8]]
  private var random: SplitMix64
  private static let words: [[UInt8]] = [
    " and ", " or ", "not ", "'", "\"", "''", "(", ")", "[", "]", "{", "}", ",", ":", "\\", "\u{0}", "\n", "\r\n", "\t",
    ";", "%",
    "&", "=", "null", "true", "-", "1e999", "0.1", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "e\u{301}", "\u{E9}", "\u{FEFF}", "\u{1F600}", "\u{1B}",
  ].map { Array($0.utf8) }

  init(_ inputs: [[UInt8]], _ random: SplitMix64) {
    (self.inputs, self.random) = (inputs, random)
  }

  mutating func next() -> [UInt8] {
    var bytes = random.pick(inputs)
    for _ in 0..<random.pick([1, 1, 2, 3, 6]) { change(&bytes) }
    return Array(bytes.prefix(1_024))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let part = piece(of: bytes)
    switch random.below(6) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << random.below(8)
    case 2: bytes.replaceSubrange(part, with: [])
    case 3: bytes.insert(contentsOf: Array(bytes[part]), at: place)
    case 4:
      let other = random.pick(inputs)
      bytes.insert(contentsOf: other[piece(of: other)], at: place)
    default: bytes.insert(contentsOf: random.pick(Self.words), at: place)
    }
  }

  /// A range of bytes, most often a short one.
  private mutating func piece(of bytes: [UInt8]) -> Range<Int> {
    let start = random.below(bytes.count + 1)
    return start..<min(bytes.count, start + random.below(random.pick([2, 8, 64])))
  }
}
