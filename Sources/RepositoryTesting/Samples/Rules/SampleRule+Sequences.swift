import Query
import Repository

extension SampleRule {
  /// Sequences whose elements are written as they come.
  static var sequences: [SampleRule] {
    [
      SampleRule("a lazy sequence is saved and inserted, and counted", amongNothing: true) { examination in
        let (elements, repository) = (examination.elements, examination.repository)
        guard let last = elements.last else { return }
        await examination.trial.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await examination.trial.expect("insert it again", throws: .conflict) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await examination.trial.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: elements.lazy.map { $0 })
        }
        try await examination.expectAll(elements)
        await examination.trial.expect("save nothing", 0) {
          try await repository.save(contentsOf: EmptyCollection())
        }
      },
      SampleRule("an asynchronous sequence is saved and inserted", amongNothing: true) { examination in
        let (elements, repository) = (examination.elements, examination.repository)
        await examination.trial.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: stream(of: elements.suffix(1)))
        }
        await examination.trial.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: stream(of: elements[...]))
        }
        try await examination.expectAll(elements)
      },
    ]
  }

  private static func stream(of elements: ArraySlice<Model>) -> AsyncStream<Model> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
