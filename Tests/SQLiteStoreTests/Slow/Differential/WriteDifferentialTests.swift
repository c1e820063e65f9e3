import Query
import Repository
import TestSupport
import Testing

/// Writes the same at random to memory and to SQLite. `REPOKIT_SEED=n make test ONLY=WriteDifferential` replays a run.
@Suite("Random writes do the same in memory and in SQLite, or are refused for the same reason", .tags(.slow))
struct WriteDifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("to tables with rules of all sorts")
  func alike() async throws {
    guard let (asked, done) = try await Self.write(Effort.rounds(200), seed: Self.seed) else { return }
    // Few or many errors would leave little to compare.
    #expect(done > asked / (Effort.isFull ? 4 : 8) && done < asked * 9 / 10, "\(done) of \(asked), seed \(Self.seed)")
  }

  @Test("for as long as it is told", .enabled(if: Environment.number("REPOKIT_SOAK_MINUTES") != nil))
  func soak() async throws {
    let minutes = Double(Environment.number("REPOKIT_SOAK_MINUTES") ?? 0)
    let end = ContinuousClock.now + .seconds(60 * minutes)
    var (seed, total) = (Self.seed, 0)
    while ContinuousClock.now < end {
      guard let (asked, _) = try await Self.write(50, seed: seed) else { return }
      seed += 1
      total += asked
    }
    print("\(total) writes alike, seeds \(Self.seed) to \(seed - 1)")
  }

  /// Makes tables and writes to them.
  ///
  /// - Returns: how many writes there were, and how many of them were done; `nil` where both disagree.
  private static func write(_ rounds: Int, seed: UInt64) async throws -> (asked: Int, done: Int)? {
    var writes = RandomWrites(random: SplitMix64(seed: seed))
    var (asked, done) = (0, 0)
    for _ in 0..<rounds {
      // Others have tests to run too.
      await Task.yield()
      let scenario = writes.scenario()
      let result = try await scenario.run()
      asked += scenario.steps.count
      done += result.done
      if result.disagreement != nil {
        let small = try await scenario.shrunk()
        let report = small.report(seed: seed, try await small.run().disagreement)
        Issue.record(Comment(rawValue: report))
        return nil
      }
    }
    return (asked, done)
  }

  @Test("The detector finds mistakes, and makes its example small", arguments: Effort.sample(WriteMutation.all))
  func detect(_ mutation: WriteMutation) async throws {
    let seed = Environment.number("REPOKIT_SEED") ?? 2026
    var writes = RandomWrites(random: SplitMix64(seed: seed))
    for _ in 0..<1_000 {
      // Others have tests to run too.
      await Task.yield()
      let scenario = writes.scenario()
      guard try await scenario.run(mutation).disagreement != nil else { continue }
      let small = try await scenario.shrunk(mutation)
      let report = small.report(seed: seed, try await small.run(mutation).disagreement)
      #expect(small.steps.count <= 6, "\(report)")
      return
    }
    Issue.record("\(mutation) was not found, seed \(seed)")
  }
}

extension RandomWrites {
  fileprivate mutating func scenario() -> WriteScenario {
    let (tables, steps) = draw()
    return WriteScenario(tables: tables, steps: steps)
  }
}
