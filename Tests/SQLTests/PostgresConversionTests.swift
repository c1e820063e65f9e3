import Query
import SQL
import Testing

@Suite("Other forms of UUIDs and dates are converted in PostgreSQL")
struct PostgresConversionTests {
  private let conversion = PostgresConversion(ofColumn: "ta\"g", in: "pokemon")

  @Test(
    "by an update of the rows that have them",
    arguments: [
      (
        .unhyphenatedUUID,
        #"UPDATE "pokemon" SET "ta""g" = "ta""g"::uuid::text WHERE "ta""g" ~ '^([0-9A-Fa-f]{32})$'"#
      ),
      (
        .binaryUUID,
        #"""
        ALTER TABLE "pokemon" ALTER COLUMN "ta""g" TYPE text COLLATE "C" USING encode("ta""g", 'hex')::uuid::text
        """#
      ),
      (.fineDate, nil), (.integerDate, nil), (.realDate, nil),
    ] as [(NonCanonicalForm, String?)])
  func statements(form: NonCanonicalForm, sql: String?) {
    #expect(conversion.statement(from: form) == sql)
  }

  @Test("and all forms whose values tell what they mean have one")
  func forms() {
    for form in NonCanonicalForm.allCases {
      let statement = conversion.statement(from: form)
      #expect(
        (statement == nil) == [.fineDate, .integerDate, .realDate, .plainDecimal, .numericDecimal].contains(form))
      #expect(conversion.advice(on: form) == statement.map { "convert the column: \($0)" } || form == .integerDate)
      #expect(statement?.contains("\\") != true)
    }
    #expect(conversion.advice(on: .integerDate)?.contains("seconds since 1970, convert it: ALTER TABLE") == true)
  }
}

@Suite("The function that folds case in PostgreSQL")
struct PostgresFoldingTests {
  @Test("holds every letter that folding changes, and what it becomes")
  func letters() throws {
    let sql = try #require(PostgresFolding.definition.last)
    #expect(PostgresFolding.definition.count == 2 && sql.contains(" \(PostgresFolding.functionName)(text) "))
    #expect(sql.contains("replace(translate(t, '") && sql.contains(", 'ß', 'ss')") && !sql.contains("\\"))
    let scalars = Set(sql.unicodeScalars)
    for value in UInt32(0x80)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { continue }
      let folded = CaseFolding.fold(String(scalar))
      if folded.unicodeScalars.elementsEqual([scalar]) { continue }
      #expect(scalars.contains(scalar) && sql.contains(folded), "U+\(String(value, radix: 16))")
      #expect(
        CaseFolding.fold(folded).unicodeScalars.elementsEqual(folded.unicodeScalars), "U+\(String(value, radix: 16))")
    }
  }

  @Test("is called by the same name in every run of one version of Unicode")
  func name() {
    #expect(PostgresFolding.functionName.hasPrefix("repokit_functions.fold_"))
    #expect(PostgresFolding.functionName.utf8.allSatisfy { $0 < 0x80 } && PostgresFolding.functionName.utf8.count < 63)
  }
}
