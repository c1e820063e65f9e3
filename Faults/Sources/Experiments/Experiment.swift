/// Something that is broken on purpose, and what has to hold then.
struct Experiment: Sendable {
  /// By which it is called on the command line.
  let name: String
  /// What is done.
  let summary: String
  private let body: @Sendable (Scale) async throws -> Finding

  init(_ name: String, _ summary: String, body: @escaping @Sendable (Scale) async throws -> Finding) {
    self.name = name
    self.summary = summary
    self.body = body
  }

  /// Does it. What it throws is a fault too.
  func run(_ scale: Scale) async -> Finding {
    do {
      return try await body(scale)
    } catch {
      var finding = Finding()
      finding.expect(false, "\(error)")
      return finding
    }
  }
}
