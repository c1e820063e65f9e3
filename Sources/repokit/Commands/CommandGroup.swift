/// A command that consists of others, as `index` does of `index add` and `index drop`.
protocol CommandGroup: Command {
  init()
}

extension CommandGroup {
  init(_ arguments: Arguments) throws(Failure) {
    self.init()
  }

  func run(_ console: Console) async throws {
    let description = Self.description
    throw description.misused(
      "\(description.call) is more than one command",
      suggestion: "they are \(description.subcommands.map { $0.description.call }.joined(separator: ", "))")
  }
}
