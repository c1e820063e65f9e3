import Query
import Repository

extension SampleRule {
  /// The order of what is found. Each rule looks at that part of the order which it is about.
  static var sorting: [SampleRule] {
    [
      SampleRule("without a sort, elements are in the order of their keys") { examination in
        await examination.ask(FetchRequest())
      },
      SampleRule("a sort goes up or down") { examination in
        for column in examination.columns where column.isKey || column.isUnique {
          for sort in sorts(by: column) {
            await examination.ask(FetchRequest(sortedBy: sort), "the values of \(column.key)") { rows in
              rows.map { [$0[column.position]] }.filter { $0 != [.null] }
            }
          }
        }
      },
      sorted("numbers are sorted by value", .number),
      sorted("texts are sorted by their UTF-8 bytes", .text),
      sorted("blobs are sorted by their bytes", .blob),
      SampleRule("null is the least value unless told otherwise") { examination in
        for column in examination.columnsWithNulls {
          for sort in sorts(by: column) { await examination.askForNulls(sort, column) }
        }
      },
      SampleRule("nulls stand first or last as told") { examination in
        for column in examination.columns {
          for sort in [
            AnySort.ascending(key: column.key, nulls: .last), .descending(key: column.key, nulls: .first),
          ] {
            await examination.askForNulls(sort, column)
          }
        }
      },
      SampleRule("where a sort does not decide, the key does, from small to great") { examination in
        for column in examination.columns where column.hasTies {
          for sort in sorts(by: column) {
            // Nulls by themselves: where they stand is another rule's concern.
            for isNull in [false, true] {
              let name = "the keys of those \(isNull ? "without" : "with") \(column.key)"
              await examination.ask(FetchRequest(sortedBy: sort), name) { rows in
                rows.filter { $0[column.position].isNull == isNull }.map(examination.samples.key)
              }
            }
          }
        }
      },
      SampleRule("of several sort keys the first one decides first") { examination in
        for column in examination.columns where column.hasTies && !column.hasNull {
          for next in examination.columns where next.position != column.position && !next.hasNull {
            let sort = AnySort.descending(key: column.key) + .descending(key: next.key)
            await examination.ask(FetchRequest(sortedBy: sort), "the values of \(column.key) and \(next.key)") { rows in
              rows.map { [$0[column.position], $0[next.position]] }
            }
          }
        }
      },
      SampleRule("a sort key that stands twice counts once") { examination in
        for column in examination.columns where column.isKey {
          await examination.ask(
            FetchRequest(sortedBy: .descending(key: column.key) + .ascending(key: column.key)),
            "the values of \(column.key)"
          ) { rows in rows.map { [$0[column.position]] } }
        }
      },
      SampleRule("what a query finds is sorted too") { examination in
        for column in examination.columns {
          guard let value = column.someValues.first else { continue }
          let query = AnyQuery.notEqual(key: column.key, value: value) && .isNotNull(key: column.key)
          for sort in sorts(by: column) {
            await examination.ask(FetchRequest(query, sortedBy: sort), "the values of \(column.key)") { rows in
              rows.map { [$0[column.position]] }
            }
          }
        }
      },
    ]
  }

  private static func sorts(by column: SampleColumn) -> [AnySort] {
    [.ascending(key: column.key), .descending(key: column.key)]
  }

  /// A rule about the values of one kind, whatever the order of ties and nulls.
  private static func sorted(_ name: String, _ kind: Value.Kind) -> SampleRule {
    SampleRule(name) { examination in
      for column in examination.columns where column.schema.kinds.contains(kind) {
        for sort in sorts(by: column) {
          await examination.ask(FetchRequest(sortedBy: sort), "the values of \(column.key)") { rows in
            rows.map { [$0[column.position]] }.filter { $0[0].kind == kind }
          }
        }
      }
    }
  }
}

extension Examination {
  /// Looks at where the nulls stand and at nothing else.
  fileprivate func askForNulls(_ sort: AnySort, _ column: SampleColumn) async {
    await ask(FetchRequest(sortedBy: sort), "whether \(column.key) is null") { rows in
      rows.map { [$0[column.position].isNull ? "null" : "a value"] }
    }
  }
}
