import Query
import Repository

extension SampleRule {
  /// Requests that can't be asked are refused with the code `invalidQuery`, before anything runs.
  static var refusals: [SampleRule] {
    [
      SampleRule("an unknown key is refused, and the nearest key suggested") { examination in
        let names = examination.columns.map(\.key)
        for name in names {
          let unknown = name + name.suffix(1)
          if names.contains(unknown) { continue }
          let nearest = NearestName.nearest(to: unknown, in: names)
          await examination.trial.expectRefusal(of: .equal(key: unknown, value: 1), suggesting: nearest)
          await examination.trial.expectRefusal(
            of: FetchRequest(sortedBy: .ascending(key: unknown)), suggesting: nearest)
        }
      },
      SampleRule("keys are told apart by their bytes") { examination in
        for name in examination.columns.map(\.key) {
          for key in [name.uppercased(), " " + name, name + " ", name + "\0", "\"\(name)\""] where key != name {
            await examination.ask(.isNull(key: key))
          }
        }
        for key in ["", "rowid", "1"] { await examination.ask(.isNull(key: key)) }
      },
      SampleRule("an unknown key is refused even where it decides nothing") { examination in
        let unknown = AnyQuery.equal(key: examination.unknownKey, value: "red")
        for query in [.true || unknown, .false && unknown, !(.true || !unknown)] { await examination.ask(query) }
        await examination.ask(FetchRequest(unknown, limit: 0))
        await examination.ask(.in(key: examination.unknownKey, values: [Int]()))
      },
      SampleRule("a request is refused in an empty repository as well", amongNothing: true) { examination in
        await examination.trial.expectRefusal(of: .equal(key: examination.unknownKey, value: "red"))
        await examination.trial.expectRefusal(of: FetchRequest(limit: -1))
        await examination.trial.expectRefusal(of: FetchRequest(sortedBy: .ascending(key: examination.unknownKey)))
      },
      SampleRule("a key is not compared with a value of a kind that it can't hold") { examination in
        for column in examination.columns {
          for value in values(unfitFor: column) {
            for relation in Relation.allCases {
              await examination.ask(.compare(key: column.key, relation, value: value))
            }
            await examination.ask(!.equal(key: column.key, value: value))
          }
        }
      },
      SampleRule("no value of a list or bound is of a kind that the key can't hold") { examination in
        for column in examination.columns {
          guard let fit = column.values.first else { continue }
          for value in values(unfitFor: column) {
            await examination.ask(.in(key: column.key, values: [value]))
            await examination.ask(.in(key: column.key, values: [fit, value]))
            await examination.ask(.between(key: column.key, lhs: fit, rhs: value))
            await examination.ask(.between(key: column.key, lhs: value, rhs: fit))
          }
        }
      },
      SampleRule("two keys that hold different kinds are not compared") { examination in
        for lhs in examination.columns {
          for rhs in examination.columns where lhs.schema.kinds.isDisjoint(with: rhs.schema.kinds) {
            await examination.ask(.equal(key: lhs.key, otherKey: rhs.key))
            await examination.ask(.lessThan(key: lhs.key, otherKey: rhs.key))
          }
        }
      },
      SampleRule("text operators are refused for keys that hold no texts") { examination in
        for column in examination.columns where !column.holdsTexts {
          for operation in TextOperation.allCases {
            await examination.ask(.match(key: column.key, operation, value: "7"))
          }
        }
      },
      SampleRule("NaN is not compared with") { examination in
        for column in examination.columns where column.schema.kinds.contains(.number) {
          for relation in Relation.allCases {
            await examination.ask(.compare(key: column.key, relation, value: Double.nan))
          }
          await examination.ask(.in(key: column.key, values: [1, Double.nan]))
        }
      },
      SampleRule("a negative limit or offset is refused") { examination in
        await examination.ask(FetchRequest(limit: -1))
        await examination.ask(FetchRequest(limit: .min))
        await examination.ask(FetchRequest(offset: -1))
        await examination.ask(FetchRequest(limit: 0, offset: .min))
      },
      SampleRule("a request that was refused leaves the repository as it was") { examination in
        _ = try? await examination.repository.findAll(where: .equal(key: examination.unknownKey, value: "red"))
        _ = try? await examination.repository.findAll(limit: -1)
        try await examination.expectAll(examination.elements)
      },
    ]
  }

  private static func values(unfitFor column: SampleColumn) -> [Value] {
    [.integer(7), .real(7.5), .text("7"), .blob([7])].filter { !column.schema.kinds.contains($0.kind) }
  }
}

extension Examination {
  /// A key that the table does not have.
  var unknownKey: String {
    var key = "colour"
    while columns.contains(where: { $0.key == key }) { key += "r" }
    return key
  }
}
