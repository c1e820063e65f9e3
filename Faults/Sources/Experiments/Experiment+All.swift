import SQLiteStore

extension Experiment {
  /// All of them, in the order of the table.
  static let all: [Experiment] = [
    .fairness(processes: 2), .fairness(processes: 4), .busy, .waiting, .cancellation,
    .crowd, .crowdInMemory, .longReader,
    .kill(.normal), .kill(.full),
    .fullDisk(.limitedFile), .fullDisk(.limitedPages),
    .faultyCalls(.writeAheadLog), .faultyCalls(.unchanged),
    .damagedFiles, .rights,
    .injection, .oddValues, .bigBlobs, .invalidText,
  ]
}
