import Repository

/// Tasks that count two numbers up together, and others that look whether both are the same.
struct Crowd: Sendable {
  let store: any Store
  let readers: Int
  let writers: Int
  let duration: Duration

  struct Counts: Sendable {
    var writes = 0
    var reads = 0
    var torn = 0
    var failures: [String] = []
  }

  func run() async throws -> Counts {
    let tallies: AnyRepository<Tally> = try store.repository()
    let watch = Stopwatch()
    return await withTaskGroup(of: Counts.self) { group in
      for _ in 0..<writers { group.addTask { @concurrent in await write(tallies, watch) } }
      for reader in 0..<readers {
        group.addTask { @concurrent in await read(tallies, watch, inOneStatement: reader.isMultiple(of: 2)) }
      }
      return await group.reduce(into: Counts()) { sum, counts in
        sum.writes += counts.writes
        sum.reads += counts.reads
        sum.torn += counts.torn
        sum.failures += counts.failures
      }
    }
  }

  private func write(_ tallies: AnyRepository<Tally>, _ watch: Stopwatch) async -> Counts {
    var counts = Counts()
    while watch.elapsed < duration {
      do {
        try await store.transaction { _ in
          for id in [1, 2] {
            var tally = try await tallies.find(id) ?? Tally(id: id, value: 0)
            tally.value += 1
            try await tallies.save(tally)
          }
        }
        counts.writes += 1
      } catch {
        counts.failures.append("\(error)")
        return counts
      }
    }
    return counts
  }

  private func read(_ tallies: AnyRepository<Tally>, _ watch: Stopwatch, inOneStatement: Bool) async -> Counts {
    var counts = Counts()
    while watch.elapsed < duration {
      do {
        let values: [Int?]
        if inOneStatement {
          values = try await tallies.findAll(sortedBy: .ascending(key: "id")).map(\.value)
        } else {
          values = try await store.read { _ in
            let first = try await tallies.find(1)?.value
            await Task.yield()
            return [first, try await tallies.find(2)?.value]
          }
        }
        counts.reads += 1
        if Set(values).count > 1 { counts.torn += 1 }
      } catch {
        counts.failures.append("\(error)")
        return counts
      }
    }
    return counts
  }
}
