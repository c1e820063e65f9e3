import CAllocations
import Dispatch
import Foundation
import Model
import SQLiteStore

/// Does one workload a number of times under a tool that counts instructions, and prints how much memory was asked for.
///
///     counts list                    the workloads, with repetitions and operations
///     counts prepare FILE            makes the database that they read
///     counts WORKLOAD TIMES FILE     the workload's repetitions, so many times over after a first time
@main
struct Counts {
  static let rows = 2_000
  private static let workloads = Reading.all + Writing.all + Pure.all

  // Not an async one: that ends the main thread where it suspends, which Valgrind 3.19 does not survive.
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      fail(error)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.count {
    case 1 where arguments[0] == "list":
      for workload in workloads { print(workload.name, workload.repetitions, workload.operations) }
    case 2 where arguments[0] == "prepare":
      let store = try SQLiteStore(path: arguments[1])
      try store.blocking.repository(of: Pokemon.self).save(Pokedex.first(rows))
      _ = try store.blocking.checkpoint()
    case 3:
      guard let workload = workloads.first(where: { $0.name == arguments[0] }), let times = Int(arguments[1]) else {
        throw Failure("no workload \(arguments[0])")
      }
      let repetitions = workload.repetitions * (1 + times)
      switch workload.work {
      // On this thread, where the count is the same in each run.
      case .blocking(let prepare):
        let body = try prepare(arguments[2])
        for repetition in 0..<repetitions { try body(repetition) }
      case .suspending(let prepare):
        let path = arguments[2]
        wait {
          let body = try prepare(path)
          for repetition in 0..<repetitions { try await body(repetition) }
        }
      }
      print("allocations", allocations_so_far())
    default: throw Failure("counts list | counts prepare FILE | counts WORKLOAD TIMES FILE")
    }
  }

  private static func wait(for body: @escaping @Sendable () async throws -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await body()
      } catch {
        fail(error)
      }
      end.signal()
    }
    end.wait()
  }

  private static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("counts: \(error)\n".utf8))
    exit(1)
  }

  /// How many repetitions a run has at most, where each needs something made ready.
  static func mostRepetitions(of repetitions: Int) -> Int { 2 * repetitions }

  /// Keeps the compiler from leaving the work out, and a wrong answer from being counted.
  static func expect(_ isRight: Bool) throws {
    if !isRight { throw Failure("wrong answer") }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }
}
