/// Work that is done a given number of times, for a tool that counts what it takes.
struct CountedWorkload: Sendable {
  /// Opens the database at a path, and makes the work ready.
  enum Work: Sendable {
    case blocking(@Sendable (_ path: String) throws -> (_ repetition: Int) throws -> Void)
    case suspending(@Sendable (_ path: String) throws -> (_ repetition: Int) async throws -> Void)
  }

  let name: String
  /// How often it is done at a time: enough to tell the work from the noise of the run.
  let repetitions: Int
  /// How many of what is counted one repetition does: rows, where it is one call for all of them.
  let operations: Int
  let work: Work

  static func blocking(
    _ name: String, repetitions: Int, operations: Int = 1,
    prepare: @escaping @Sendable (_ path: String) throws -> (_ repetition: Int) throws -> Void
  ) -> CountedWorkload {
    CountedWorkload(name: name, repetitions: repetitions, operations: operations, work: .blocking(prepare))
  }

  static func suspending(
    _ name: String, repetitions: Int, operations: Int = 1,
    prepare: @escaping @Sendable (_ path: String) throws -> (_ repetition: Int) async throws -> Void
  ) -> CountedWorkload {
    CountedWorkload(name: name, repetitions: repetitions, operations: operations, work: .suspending(prepare))
  }
}
