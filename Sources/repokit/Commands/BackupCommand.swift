import Repository
import SQLiteStore
import Synchronization

/// `repokit backup`: copies a database while it is in use.
struct BackupCommand: Command {
  static let description = CommandDescription(
    name: "backup", summary: "Copies a database into a file, also while others write to it.",
    examples: [
      .init(
        arguments: "backup pokedex.sqlite monday.sqlite", meaning: "A copy of it as it is now, and checked to be whole."
      ),
      .init(arguments: "backup pokedex.sqlite latest.sqlite --force", meaning: "In place of the copy before."),
    ],
    positionals: [.databaseFile, file], options: [OutputFile.force],
    notes: [
      .paragraph(
        "The copy is one state of the database, with what its write-ahead log holds. It is made under another name and "
          + "read from end to end before it gets its own, so that a file of that name is always a whole backup.")
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to make.", completion: .file)

  private static let refusal = ServerRefusal(
    summary: "a database on a server can't be copied into a file",
    reason: "a backup is a copy of an SQLite file's pages",
    suggestion: "pg_dump makes one, also while others write to it; repokit export writes the rows of one table")

  private let database: DatabaseLocation
  private let file: String
  private let isForced: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.databaseFile))
    file = try arguments.required(Self.file)
    isForced = arguments.has(OutputFile.force)
    if file == "-" {
      throw arguments.command.usageError(
        "a backup can't be written to the standard output", reason: "SQLite writes its pages in any order",
        suggestion: "name a file; ./- is one called -")
    }
  }

  func run(_ console: Console) async throws {
    let store = try database.openFile(.readOnly, orRefuse: Self.refusal)
    try database.checkIsOther(file)
    switch FileKind(ofPath: file) {
    case .missing: break
    case .regular where isForced: break
    case .regular:
      throw Failure("there is a file \(file) already", details: ["--force puts the backup in its place"])
    case .directory: throw Failure("\(file) is a directory", details: ["name the file to make in it"])
    default: throw Failure("\(file) is no file that a backup could take the place of")
    }
    Interruption.postpone("no backup was made")
    let meter = BackupProgressLine(isShown: console.canRedraw)
    let problems: [IntegrityProblem]
    do {
      problems = try await Interruption.cancelling { [file, isForced] in
        try await store.checkedBackup(
          to: file, replacing: isForced, progress: { meter.show($0) }, check: { meter.showCheck() })
      }
    } catch {
      meter.clear()
      try Interruption.check()
      // The source database is busy, not the copy.
      if let error = error as? RepositoryError, error.code == .busy { throw database.failure(error) }
      // SQLite's own message does not name the file.
      let failure = Failure(translating: error)
      throw (error as? RepositoryError)?.storeCode == nil ? failure : failure.at(file)
    }
    meter.clear()
    if let problem = problems.first {
      throw Failure(
        "the copy has \(problems.count == 1 ? "a problem" : "\(problems.count) problems"), so it was not kept",
        details: ["\(problem)", "repokit check tells what is wrong with \(database.name)"])
    }
    console.report(TerminalText.visible("backed \(database.name) up as \(file)") + "\n")
  }
}

/// Shows the progress of a backup on a terminal, on one line that is removed at the end.
final class BackupProgressLine: Sendable {
  private let isShown: Bool
  private let percentage = Atomic(-1)

  init(isShown: Bool) {
    self.isShown = isShown
  }

  func show(_ progress: WorkProgress) {
    guard isShown, let total = progress.total, total > 0 else { return }
    let percentage = progress.done * 100 / total
    // Redrawn whenever something has changed.
    if self.percentage.exchange(percentage, ordering: .relaxed) == percentage { return }
    StandardStreams.report("\rcopying: \(percentage) %\u{1B}[K")
  }

  func showCheck() {
    guard isShown else { return }
    StandardStreams.report("\rchecking the copy\u{1B}[K")
    ElapsedTime.begin("checking the copy", width: .max)
  }

  func clear() {
    guard isShown else { return }
    ElapsedTime.end()
    StandardStreams.report("\r\u{1B}[K")
  }
}
