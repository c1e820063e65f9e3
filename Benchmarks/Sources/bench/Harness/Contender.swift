/// One way to do the work of a workload.
struct Contender {
  /// What is measured, made ready outside the time.
  enum Work {
    case blocking(() throws -> Answer)
    case suspending(() async throws -> Answer)
  }

  let name: String
  /// How often the work does what a time is given for.
  let operations: Int
  /// Makes the work ready for one round; what it makes is gone after the round.
  let prepare: () throws -> Work
  /// Whether it answers the same question as the others.
  var isCompared = true

  init(_ name: String, operations: Int, prepare: @escaping () throws -> Work) {
    self.name = name
    self.operations = operations
    self.prepare = prepare
  }

  /// Work that needs nothing made ready.
  static func blocking(_ name: String, operations: Int, _ work: @escaping () throws -> Answer) -> Contender {
    Contender(name, operations: operations) { .blocking(work) }
  }

  /// Work that needs nothing made ready, and suspends.
  static func suspending(_ name: String, operations: Int, _ work: @escaping () async throws -> Answer) -> Contender {
    Contender(name, operations: operations) { .suspending(work) }
  }
}
