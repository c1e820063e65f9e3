import Query
import SQL
import Testing

@Suite("Functions of SQLite that a connection defines")
struct FunctionNameTests {
  @Test("have names of their own")
  func names() {
    let functions = ExpressionFunction.allCases.map(SQLiteDialect.name)
    let others = [
      SQLiteDialect.numberFunction, SQLiteDialect.foldFunction, SQLiteDialect.realSumFunction,
      SQLiteDialect.likeFunction,
      ValueConversion.jsonFunction, ValueConversion.dateFunction,
    ]
    #expect(Set(functions).isDisjoint(with: others))
    #expect(Set(functions).count == functions.count && Set(others).count == others.count)
  }
}
