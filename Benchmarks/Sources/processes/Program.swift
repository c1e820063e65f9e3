import Foundation

/// A program that is run to its end.
struct Program {
  /// What a run took.
  struct Cost {
    /// Seconds on the wall, from before the program was started to after its end.
    let seconds: Double
    /// The greatest resident size in bytes; `nil` where the system does not tell it from outside.
    var peakMemory: Int?
  }

  let path: String
  let arguments: [String]

  init(_ path: String, _ arguments: [String]) {
    (self.path, self.arguments) = (path, arguments)
  }

  /// Looks for a program where the shell would.
  static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs the program with nothing to read and nobody to read what it writes.
  ///
  /// - Parameter watchesMemory: whether its memory is looked at meanwhile, which takes time of the machine.
  func run(watchingMemory watchesMemory: Bool = false) throws -> Cost {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let clock = ContinuousClock()
    let start = clock.now
    guard posix_spawn(&process, path, &actions, nil, &words, environ) == 0 else {
      throw Problem("\(path) can't be run")
    }
    var status: Int32 = 0
    var peak: Int?
    if watchesMemory {
      while waitpid(process, &status, WNOHANG) == 0 {
        peak = Self.peakMemory(of: process) ?? peak
        usleep(500)
      }
    } else {
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    let time = start.duration(to: clock.now)
    guard status == 0 else { throw Problem("\(path) \(arguments.joined(separator: " ")) failed: \(status)") }
    return Cost(seconds: time / .seconds(1), peakMemory: peak)
  }

  /// Not by `wait4`, which begins with what the process had that started this one.
  /// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
  private static func peakMemory(of process: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
