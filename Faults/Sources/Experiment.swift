import SQLiteStore

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

extension Experiment {
  /// All of them, in the order of the table.
  static let all: [Experiment] = [
    .fairOrder, .busy, .waiting, .mainActor, .stoppedWriter, .cancellation,
    .crowd, .crowdInMemory, .longReader, .liveResults, .historyInFile, .historyInMemory, .historyInPostgres,
    .kill, .killSteps, .stopSteps, .killTool, .longRun,
    .fullDisk(.limitedFile), .fullDisk(.limitedPages),
    .faulty(.log), .faulty(.journal), .faulty(.allocations), .faulty(.interruption),
    .powerLoss(.full), .powerLoss(.normal), .powerLoss(.journal), .powerLoss(.journalNormal),
    .powerLoss(.lies),
    .damagedFiles, .rights,
    .postgresKill, .postgresCut, .postgresFailover, .postgresFull, .postgresTimeout, .postgresCrowd, .postgresClient,
    .injection, .oddValues, .bigBlobs, .invalidText,
  ]
}

/// How much of an experiment is done.
enum Scale: Sendable {
  /// What takes a few seconds, and asks for no time, so that it is a test on any machine.
  case quick
  /// All of it, with its bounds on time.
  case full

  /// One of two counts.
  func pick<Count>(quick: Count, full: Count) -> Count { self == .quick ? quick : full }
}

/// What came out of an experiment.
struct Finding: Sendable {
  /// What was measured, in a few words each.
  private(set) var figures: [String] = []
  /// What should not have been; the first ones of many.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0
  /// Whether there were so many faults that nothing is learnt from more, each of which may take its time.
  var isHopeless: Bool { faultCount >= 50 }
  /// Why nothing was done; `nil` where something was.
  private(set) var omission: String?
  /// Why experiments with PostgreSQL are left out.
  static let noServer = "no PostgreSQL server is installed"

  /// Notes what was measured.
  mutating func note(_ figure: String) { figures.append(figure) }

  /// Notes a fault unless something is as it should be.
  mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
    if isRight { return }
    faultCount += 1
    if faults.count < 5 { faults.append(fault()) }
  }

  /// Notes that the experiment can't be made here.
  mutating func leaveOut(because reason: String) { omission = reason }

  /// Notes faults that were not told.
  mutating func add(faultCount: Int) { self.faultCount += faultCount }

  /// Takes over what another one holds.
  mutating func add(_ other: Finding) {
    omission = omission ?? other.omission
    figures += other.figures
    faults += other.faults
    faultCount += other.faultCount
  }
}

extension Role {
  /// Tells the experiment what was found.
  static func tell(_ finding: Finding) {
    for figure in finding.figures { tell("figure \(figure)") }
    for fault in finding.faults { tell("fault \(fault.replacing("\n", with: " "))") }
    if finding.faultCount > finding.faults.count { tell("more \(finding.faultCount - finding.faults.count)") }
    if let omission = finding.omission { tell("omission \(omission)") }
  }
}

extension Helper {
  /// What the role found, at its end. It counts as a fault if that was not a good one.
  func finding() async -> Finding {
    var finding = Finding()
    var last = "nothing"
    for line in await lines() {
      if line.hasPrefix("figure ") {
        finding.note(String(line.dropFirst(7)))
      } else if line.hasPrefix("fault ") {
        finding.expect(false, String(line.dropFirst(6)))
      } else if line.hasPrefix("more ") {
        finding.add(faultCount: Int(line.dropFirst(5)) ?? 0)
      } else if line.hasPrefix("omission ") {
        finding.leaveOut(because: String(line.dropFirst(9)))
      } else {
        last = line
      }
    }
    if let end = await wait() { finding.expect(false, "the process \(end) after \(last)") }
    return finding
  }
}

/// How long something takes.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { .now - start }
}

extension Duration {
  /// The time in seconds.
  var inSeconds: Double { self / .seconds(1) }
  /// The time in milliseconds.
  var inMilliseconds: Double { self / .milliseconds(1) }
  /// The time as a table shows it.
  var text: String {
    let milliseconds = inMilliseconds
    if milliseconds >= 1_000 { return "\((inSeconds * 100).rounded() / 100) s" }
    return "\((milliseconds * 10).rounded() / 10) ms"
  }
}
