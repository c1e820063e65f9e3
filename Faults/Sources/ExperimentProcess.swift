import Foundation
import TestSupport

extension Experiment {
  /// How long it may take, many times what it does: one that hangs is told as a failure.
  static func limit(_ scale: Scale) -> Duration {
    // All allocations and ten million operations take a quarter of an hour, and operations may be spread over hours.
    let isLong =
      Effort.isFull || ["REPOKIT_OPERATIONS", "REPOKIT_MINUTES"].contains { Environment.number($0) != nil }
    return scale.pick(quick: .seconds(300), full: .seconds(isLong ? 4 * 3_600 : 1_200))
  }

  /// Does it in a process of its own, which is ended with all that it has started where it takes too long.
  func runApart(_ scale: Scale, within limit: Duration) async -> Finding {
    do {
      return await (try Helper("experiment", [name, scale == .quick ? "quick" : "full"])).finding(within: limit)
    } catch {
      var finding = Finding()
      finding.expect(false, "\(error)")
      return finding
    }
  }
}

extension Helper {
  /// What the role found, at its end, or that it did not come to one in time.
  func finding(within limit: Duration) async -> Finding {
    let end = Task {
      try await Task.sleep(for: limit)
      killAll()
    }
    var finding = await finding()
    end.cancel()
    if case .success = await end.result { finding.expect(false, "it did not end within \(limit.text)") }
    return finding
  }

  /// Kills the role and all that it has started, be it stopped.
  private func killAll() {
    let found = Self.descendants(of: identifier)
    // First itself, which would start others.
    for process in [identifier] + found { Foundation.kill(process, SIGKILL) }
  }

  /// The processes that a process has started, and those that these have.
  private static func descendants(of process: Int32) -> [Int32] {
    var children: [Int32: [Int32]] = [:]
    for line in Self.processes.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int32($0) }
      if numbers.count == 2 { children[numbers[1], default: []].append(numbers[0]) }
    }
    var found = children[process] ?? []
    var next = found.startIndex
    while next < found.endIndex {
      found += children[found[next]] ?? []
      next += 1
    }
    return found
  }

  /// All processes, a line each: its number, and that of the one that has started it.
  private static var processes: String {
    let (list, output) = (Process(), Pipe())
    list.executableURL = URL(filePath: "/bin/ps")
    list.arguments = ["-eo", "pid=,ppid="]
    list.standardOutput = output
    guard (try? list.run()) != nil else { return "" }
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

extension Role {
  /// `experiment NAME quick|full`: does an experiment, and tells what was found. It ends with its input, as where the program that
  /// has started it is interrupted.
  static let experiment = Role("experiment") { arguments in
    guard let experiment = Experiment.all.first(where: { $0.name == arguments[0] }) else {
      throw WorkError("there is no experiment \(arguments[0])")
    }
    Thread.detachNewThread {
      waitForRelease()
      exit(1)
    }
    tell(await experiment.run(arguments[1] == "quick" ? .quick : .full))
  }

  /// `waitForEver DATABASE`: starts a process that holds a lock, and waits for what never comes.
  static let waitForEver = Role("waitForEver") { arguments in
    let holder = try Helper("holdLock", [arguments[0]])
    _ = await holder.line()
    tell("held")
    _ = await holder.line()
  }
}
