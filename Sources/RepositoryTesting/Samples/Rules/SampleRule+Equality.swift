import Query
import Repository

extension SampleRule {
  /// `=` and `!=`, which is its exact negation.
  static var equality: [SampleRule] {
    [
      SampleRule("`=` finds what equals a value") { examination in
        for column in examination.columns {
          for value in column.someValues { await examination.ask(.equal(key: column.key, value: value)) }
        }
      },
      SampleRule("null equals null and nothing else") { examination in
        for column in examination.columns { await examination.ask(.isNull(key: column.key)) }
      },
      SampleRule("`!=` holds for rows whose value is null") { examination in
        for column in examination.columnsWithNulls {
          for value in column.someValues { await examination.ask(.notEqual(key: column.key, value: value)) }
        }
      },
      SampleRule("`!=` finds what differs from a value") { examination in
        for column in examination.columns where !column.hasNull {
          for value in column.someValues { await examination.ask(.notEqual(key: column.key, value: value)) }
        }
      },
      SampleRule("`!= null` holds for every value") { examination in
        for column in examination.columns { await examination.ask(.isNotNull(key: column.key)) }
      },
      SampleRule("the negation of `=` and of `!=` is the other one") { examination in
        for column in examination.columns {
          for value in column.someValues.prefix(3) + [.null] {
            await examination.ask(!.equal(key: column.key, value: value))
            await examination.ask(!.notEqual(key: column.key, value: value))
          }
        }
      },
      SampleRule("texts are equal by their bytes: case and blanks differ") { examination in
        for column in examination.columns where column.holdsTexts {
          for text in column.texts {
            for other in [text.uppercased(), text.lowercased(), text + " ", " " + text] where !same(other, text) {
              await examination.ask(.equal(key: column.key, value: other))
            }
          }
        }
      },
      SampleRule("texts are equal by their bytes: composed and decomposed characters differ") { examination in
        for column in examination.columns where column.holdsTexts {
          for text in column.texts {
            for other in [decomposed(text), composed(text)] where !same(other, text) {
              await examination.ask(.equal(key: column.key, value: other))
            }
          }
        }
      },
      SampleRule("integers beyond 2^53 are not rounded") { examination in
        for column in examination.columns where column.schema.kinds.contains(.number) {
          for case .integer(let integer) in column.values.map({ Self.whole($0) }) where integer.magnitude >= 1 << 53 {
            for value in [integer.addingReportingOverflow(1), integer.subtractingReportingOverflow(1)]
            where !value.overflow {
              await examination.ask(.equal(key: column.key, value: value.partialValue))
            }
          }
        }
      },
      SampleRule("numbers are equal by value, whether they are integers or reals") { examination in
        for column in examination.columns where column.schema.kinds.contains(.number) {
          for value in column.someValues {
            switch value {
            case .integer(let integer):
              await examination.ask(.equal(key: column.key, value: Double(integer)))
              await examination.ask(.equal(key: column.key, value: Double(integer) + 0.5))
            case .real(let real):
              if let integer = Int64(exactly: real.rounded()) {
                await examination.ask(.equal(key: column.key, value: integer))
              }
            default: break
            }
          }
        }
      },
    ]
  }

  /// A real that is whole as the integer that it equals.
  private static func whole(_ value: Value) -> Value {
    if case .real(let real) = value, let integer = Int64(exactly: real) { .integer(integer) } else { value }
  }

  /// Whether two texts have the same bytes; to `String`'s own `==`, a composed and a decomposed "é" are the same.
  private static func same(_ lhs: String, _ rhs: String) -> Bool { Value.text(lhs) == .text(rhs) }

  /// Letters with a mark, and the same ones decomposed.
  private static var letters: [(composed: String, decomposed: String)] {
    [
      ("é", "e\u{301}"), ("è", "e\u{300}"), ("à", "a\u{300}"), ("ä", "a\u{308}"), ("ö", "o\u{308}"), ("ü", "u\u{308}"),
      ("ñ", "n\u{303}"), ("ç", "c\u{327}"), ("å", "a\u{30A}"), ("É", "E\u{301}"), ("Ä", "A\u{308}"), ("Ö", "O\u{308}"),
      ("Ü", "U\u{308}"), ("が", "か\u{3099}"), ("ガ", "カ\u{3099}"),
    ]
  }

  // By scalars, since `String` finds a composed character where a decomposed one stands.
  private static func decomposed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let letter = letters.first(where: { $0.composed.unicodeScalars.first == scalar }) {
        scalars.append(contentsOf: letter.decomposed.unicodeScalars)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func composed(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for letter in letters {
      let (pair, single) = (Array(letter.decomposed.unicodeScalars), letter.composed.unicodeScalars.first)
      while let index = scalars.indices.dropLast().first(where: { Array(scalars[$0...($0 + 1)]) == pair }), let single {
        scalars.replaceSubrange(index...(index + 1), with: [single])
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
