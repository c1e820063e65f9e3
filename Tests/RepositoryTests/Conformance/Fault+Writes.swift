import Foundation
import Repository
import RepositoryTesting

extension Fault {
  /// What is not saved as it was given.
  static let writes: [Fault] = [
    Fault(
      "keeps a part of a batch where there is a conflict",
      breaking: [
        "a conflict amid a batch saves nothing of it",
        "a conflict within a batch saves nothing of it",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          do throws(RepositoryError) {
            try base.save(specimens)
          } catch {
            if error.code != .conflict { throw error }
            for specimen in specimens { try base.save([specimen]) }
          }
        }
      }
    },
    Fault(
      "says nothing of a conflict",
      breaking: [
        "an element with another's unique value is a conflict, and nothing changes",
        "the error of a conflict names the column and tells no value",
        "a conflict amid a batch saves nothing of it",
        "a conflict within a batch saves nothing of it",
        "a batch can be saved after one that was refused",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          do throws(RepositoryError) {
            try base.save(specimens)
          } catch {
            if error.code != .conflict { throw error }
          }
        }
      }
    },
    Fault(
      "replaces an element that has the same unique value",
      breaking: [
        "an element with another's unique value is a conflict, and nothing changes",
        "the error of a conflict names the column and tells no value",
        "a value that no store can hold is refused, and nothing is saved",
        "a conflict amid a batch saves nothing of it",
        "an element amid a batch that no store can hold saves nothing of it",
        "a batch can be saved after one that was refused",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          for specimen in specimens {
            let rivals = try base.findAll(FetchRequest(.equal(key: "label", value: specimen.label)))
            try base.delete(rivals.map(\.id))
          }
          try base.save(specimens)
        }
      }
    },
    Fault(
      "cuts texts at a NUL",
      breaking: [
        "texts come back byte by byte",
        "a text of 100 kB comes back whole",
        "texts are equal by their bytes: an embedded NUL ends nothing",
        "texts are in the order of their UTF-8 bytes",
        "`between` compares texts and blobs by their bytes",
        "`in` compares texts by their bytes",
        "a long list keeps what is hard to write",
        "text operators look beyond an embedded NUL",
        "`_` stands for one Unicode scalar",
        "`like` sees line ends and NUL as any other character",
        "texts are sorted by their UTF-8 bytes",
        "texts that differ in their bytes alone have places of their own",
        "texts are grouped by their bytes",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.save(
            specimens.map { specimen in
              var specimen = specimen
              specimen.name = String(specimen.name.prefix { $0 != "\0" })
              return specimen
            })
        }
      }
    },
    Fault(
      "composes characters",
      breaking: [
        "texts come back byte by byte",
        "texts are equal by their bytes: composed and decomposed characters differ",
        "texts are in the order of their UTF-8 bytes",
        "`in` compares texts by their bytes",
        "text operators compare bytes: composed and decomposed characters differ",
        "text operators take apart what is one character to a reader",
        "`_` stands for one Unicode scalar",
        "`like` compares bytes and knows no other wildcards",
        "ignoring case, composed and decomposed characters stay different",
        "texts are sorted by their UTF-8 bytes",
        "texts that differ in their bytes alone have places of their own",
        "texts are grouped by their bytes",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.save(
            specimens.map { specimen in
              var specimen = specimen
              specimen.name = specimen.name.precomposedStringWithCanonicalMapping
              return specimen
            })
        }
      }
    },
    Fault(
      "keeps dates to the millisecond",
      breaking: [
        "dates come back to the nanosecond, from the year 0000 to 9999",
        "dates further than 100 days from the reference date come back exactly",
      ]
    ) {
      try FaultyRepository {
        $0.onFound = { specimens in
          specimens.map { specimen in
            var specimen = specimen
            let seconds = specimen.found.timeIntervalSinceReferenceDate
            specimen.found = Date(timeIntervalSinceReferenceDate: (seconds * 1000).rounded() / 1000)
            return specimen
          }
        }
      }
    },
    Fault(
      "turns the sign of a zero round",
      breaking: ["a zero comes back as a zero, and 0.0 not as -0.0"]
    ) {
      try FaultyRepository {
        $0.onFound = { specimens in
          specimens.map { specimen in
            var specimen = specimen
            if specimen.mass == 0 { specimen.mass = -specimen.mass }
            return specimen
          }
        }
      }
    },
    Fault(
      "takes an empty blob for null",
      breaking: [
        "blobs come back byte by byte",
        "an empty text and an empty blob are not null",
        "a blob key and another are compared by their bytes",
        "blobs are sorted by their bytes",
        "the least and the greatest blobs are those by bytes",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.save(
            specimens.map { specimen in
              var specimen = specimen
              if specimen.scan == [] { specimen.scan = nil }
              return specimen
            })
        }
      }
    },
    Fault(
      "counts the keys that it was to delete",
      breaking: [
        "`delete` returns how many elements there were",
        "a key that stands twice is deleted and counted once",
        "`delete` of one key tells whether it existed",
      ]
    ) { try FaultyRepository { $0.onDelete = { ids, _ in ids.count } } },
  ]
}
