import Query
import Repository

extension SampleRule {
  /// `contains`, `starts with` and `ends with`, exact by UTF-8 bytes.
  static var text: [SampleRule] {
    [
      SampleRule("`contains` finds a text anywhere") { examination in
        for (column, text) in examination.texts where !column.hasNull {
          for part in [text, String(text.dropFirst()), String(text.dropLast()), String(text.dropFirst().dropLast())]
          where !part.isEmpty {
            await examination.ask(.contains(key: column.key, value: part))
            await examination.ask(!.contains(key: column.key, value: part))
          }
        }
      },
      SampleRule("`starts with` and `ends with` find a text at the start and at the end") { examination in
        for (column, text) in examination.texts where !column.hasNull {
          for part in [text, String(text.prefix(2)), String(text.suffix(2))] {
            await examination.ask(.hasPrefix(key: column.key, value: part))
            await examination.ask(.hasSuffix(key: column.key, value: part))
            await examination.ask(!.hasPrefix(key: column.key, value: part))
            await examination.ask(!.hasSuffix(key: column.key, value: part))
          }
        }
      },
      SampleRule("the empty text is found in every text") { examination in
        for column in examination.columns where column.holdsTexts {
          for operation in [TextOperation.contains, .hasPrefix, .hasSuffix] {
            await examination.ask(.match(key: column.key, operation, value: ""))
            await examination.ask(!.match(key: column.key, operation, value: ""))
          }
        }
      },
      SampleRule("text operators are false for a null, their negations true") { examination in
        for (column, text) in examination.texts where column.hasNull {
          for operation in TextOperation.allCases {
            await examination.ask(.match(key: column.key, operation, value: text))
            await examination.ask(!.match(key: column.key, operation, value: text))
          }
        }
      },
      SampleRule("text operators respect case unless told otherwise") { examination in
        for (column, text) in examination.texts {
          for other in [text.uppercased(), text.lowercased()] where other != text {
            for operation in TextOperation.allCases {
              await examination.ask(.match(key: column.key, operation, value: other))
            }
          }
        }
      },
      SampleRule("ignoring case, both sides are folded") { examination in
        for (column, text) in examination.texts {
          for other in [text.uppercased(), text.lowercased()] {
            for operation in TextOperation.allCases {
              await examination.ask(.match(key: column.key, operation, value: other, ignoringCase: true))
              await examination.ask(!.match(key: column.key, operation, value: other, ignoringCase: true))
            }
          }
        }
      },
      SampleRule("`contains`, `starts with` and `ends with` know no wildcards") { examination in
        for column in examination.columns where column.holdsTexts {
          for operation in [TextOperation.contains, .hasPrefix, .hasSuffix] {
            for wildcard in ["%", "_", "*", "?", ".", "\\", "["] {
              await examination.ask(.match(key: column.key, operation, value: wildcard))
            }
          }
        }
      },
    ]
  }

  /// `like` and its patterns.
  static var patterns: [SampleRule] {
    [
      like("`like` matches the whole text") { text in [text, String(text.dropLast()), ""] },
      like("`%` stands for any run, the empty one included") { text in
        ["%", text + "%", String(text.prefix(2)) + "%", "%" + text.suffix(2), "%" + text.dropFirst().prefix(2) + "%"]
      },
      like("`_` stands for one Unicode scalar") { text in
        let scalars = text.unicodeScalars.count
        return [
          "_" + text.dropFirst(), text + "_", String(repeating: "_", count: scalars), "%_",
          String(repeating: "_", count: scalars + 1),
        ]
      },
      like("`\\` takes the next character as it is") { text in
        ["\\" + text, text + "\\%", "\\%", "\\_" + text.dropFirst(), text + "\\"]
      },
    ]
  }

  private static func like(_ name: String, _ patterns: @escaping @Sendable (String) -> [String]) -> SampleRule {
    SampleRule(name) { examination in
      for (column, text) in examination.texts where !column.hasNull {
        for pattern in patterns(text) { await examination.ask(.like(key: column.key, value: pattern)) }
      }
    }
  }
}

extension Examination {
  /// Some texts of each column of texts, with the column.
  fileprivate var texts: [(SampleColumn, String)] {
    columns.filter(\.holdsTexts).flatMap { column in column.texts.prefix(3).map { (column, $0) } }
  }
}
