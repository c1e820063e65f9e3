import ErrorHandling
import Synchronization
import Testing

/// What each numbered error met, in order, while errors take turns at will.
private final class Encounters: Sendable {
  private let met = Mutex<[Int: [String]]>([:])

  func write(_ error: any Error, _ place: String) {
    guard case .numbered(let number)? = error as? AppError else { return }
    met.withLock { $0[number, default: []].append(place) }
  }

  var places: [Int: [String]] { met.withLock(\.self) }
}

@Suite("One tree and many tasks")
struct ConcurrencyTests {
  @Test("each error meets the handlers in order, is handled once, and reports to its own thrower")
  func manyTasks() async {
    let (tasks, errors) = (16, 200)
    let encounters = Encounters()
    let root = ErrorHandler(unhandled: { encounters.write($0, "nobody") })
      .listen { error in
        encounters.write(error, "root")
        await Task.yield()
      }
      .catch(matching: .type(AppError.self) { if case .numbered(let number) = $0 { number % 3 == 0 } else { false } }) {
        encounters.write($0, "root caught")
      }
    await withTaskGroup { group in
      for task in 0..<tasks {
        group.addTask {
          // Each task has a screen of its own, which comes and goes.
          for error in 0..<errors {
            let number = task * errors + error
            let screen = root.catch(matching: ErrorMatcher { _ in number % 3 == 1 }) { encounters.write($0, "screen") }
            await screen.asCurrent {
              await ErrorHandler.current?.throw(AppError.numbered(number)) {
                encounters.write(AppError.numbered(number), "finally \($0)")
              }
            }
          }
        }
      }
    }
    let places = encounters.places
    #expect(places.count == tasks * errors)
    let expected = [
      ["root", "root caught", "finally true"], ["root", "screen", "finally true"], ["root", "nobody", "finally false"],
    ]
    let wrong = places.filter { $0.value != expected[$0.key % 3] }
    #expect(wrong.isEmpty)
  }

  @Test("handlers that throw at the tree from many tasks at once end at the same depth")
  func nestedInManyTasks() async {
    let journal = Journal()
    let tree = ErrorHandler().listen { error in
      journal.write("\(error)")
      await ErrorHandler.current?.throw(OtherError())
    }
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { await tree.do { throw AppError.missing } }
      }
    }
    // A section's scope ends where it throws, so each error is handled once.
    #expect(journal.lines.count == 16)
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { await tree.asCurrent { _ = await tree.throw(AppError.missing) } }
      }
    }
    #expect(journal.lines.count == 16 + 16 * ErrorHandler.maximumDepth)
  }
}
