import Foundation

/// What the environment asks for: `QUICK=1`, `ONLY=name,name`, `ROUNDS=n` and `TABLE=1`, which `make bench` passes on, and
/// `POSTGRES`, which it sets.
struct Options {
  let isQuick: Bool
  let rounds: Int
  /// Whether a table for the documentation is wanted.
  let withTable: Bool
  /// The name of the toolchain, as it calls itself.
  let toolchain: String?
  /// The connection string of a PostgreSQL server whose database is empty; `nil` where there is none.
  let postgres: String?
  private let only: [String]

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    isQuick = environment["QUICK"] == "1"
    rounds = max(5, environment["ROUNDS"].flatMap { Int($0) } ?? 5)
    withTable = environment["TABLE"] == "1"
    toolchain = environment["TOOLCHAIN"]
    postgres = environment["POSTGRES"].flatMap { $0.isEmpty ? nil : $0 }
    only = (environment["ONLY"] ?? "").split(separator: ",").map(String.init)
  }

  /// Which names are asked for, whole or by how they start; all where nothing is asked for.
  func wanted(_ names: [String]) -> [String] {
    if only.isEmpty { return names }
    return names.filter { name in
      only.contains { $0 == name || !names.contains($0) && name.hasPrefix($0) }
    }
  }

  /// How long a workload's rounds go on where the least number of them takes less.
  var duration: Duration { isQuick ? .milliseconds(300) : .seconds(4) }
  var rows: Int { isQuick ? 25_000 : 200_000 }
  /// How many rows workloads write that the table says 100,000 of.
  var writtenRows: Int { isQuick ? 10_000 : 100_000 }
  var singleSaves: Int { isQuick ? 500 : 5_000 }
  var listedKeys: Int { isQuick ? 2_500 : 10_000 }
  /// How many rows are streamed.
  var streamedRows: Int { isQuick ? 100_000 : 10_000_000 }
  /// The sizes at which growth is looked at.
  var sizes: [Int] { isQuick ? [1_000, 10_000, 50_000] : [1_000, 10_000, 100_000, 1_000_000] }
}
