/// Something that has a bound of its own, and no rival.
struct Measurement: Sendable {
  let name: String
  let run: @Sendable (Bed, inout Report) async throws -> Void

  init(_ name: String, run: @escaping @Sendable (Bed, inout Report) async throws -> Void) {
    self.name = name
    self.run = run
  }
}
