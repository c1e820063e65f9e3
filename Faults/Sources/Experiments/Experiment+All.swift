extension Experiment {
  static let all: [Experiment] = [
    .fairness(processes: 2), .fairness(processes: 4), .busy, .waiting, .cancellation,
  ]
}
