import Foundation

/// What time is measured by.
enum Stopwatch: Sendable {
  /// The time that the thread had a processor, its calls into the system included. What other programs take of the machine
  /// does not count, and neither does waiting: for work that does not wait.
  case processor
  /// The same of all threads of the program: for work that goes from one to another.
  case processors
  /// The time on the wall, for what waits: for tasks, threads or the disk.
  case wall

  /// Seconds since some moment.
  func seconds() -> Double {
    var time = timespec()
    let clock =
      switch self {
      case .processor: CLOCK_THREAD_CPUTIME_ID
      case .processors: CLOCK_PROCESS_CPUTIME_ID
      case .wall: CLOCK_MONOTONIC
      }
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
