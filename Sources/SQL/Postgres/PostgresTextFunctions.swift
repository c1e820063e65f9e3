import Query

// Functions of texts and of the digits of numbers. A number that may be too great for a type of PostgreSQL's own function is
// checked first. https://www.postgresql.org/docs/15/functions-string.html
extension PostgresDialect {
  /// Returns a number rounded in the digits by which PostgreSQL writes it: the fewest that read back as the same number.
  /// https://www.postgresql.org/docs/15/datatype-numeric.html#DATATYPE-FLOAT
  func rounded(_ arguments: [SQLTerm]) -> String {
    let digits = arguments.count > 1 ? integer(arguments[1]) : "0::int8"
    if arguments[0].kind == .integer {
      return named([integer(arguments[0]), digits]) { "CASE WHEN \($0[1]) BETWEEN 0 AND 15 THEN \($0[0]) END" }
    }
    return named([real(arguments[0]), digits]) { names in
      "CASE WHEN \(names[1]) BETWEEN 0 AND 15 THEN CASE WHEN abs(\(names[0])) < 9007199254740992 "
        + "THEN round(\(names[0])::text::numeric, \(names[1])::int)::float8 ELSE \(names[0]) END END"
    }
  }

  /// Returns a part of a text by position. A number beyond any text is enough where a type has no room for more.
  func substring(_ arguments: [SQLTerm]) -> String {
    let numbers = arguments.dropFirst().map(integer)
    return named([text(arguments[0])] + numbers) { names in
      let inRange = names.dropFirst().enumerated().map { "\($1) >= \($0 == 0 ? 1 : 0)" }.joined(separator: " AND ")
      let bounded = names.dropFirst().map { "least(\($0), 1000000000)::int" }
      return "CASE WHEN \(inRange) THEN substr(\(([names[0]] + bounded).joined(separator: ", "))) END"
    } + Self.collateByBytes
  }

  /// Returns a part of a text between separators; PostgreSQL returns an empty text where there is none.
  func part(_ arguments: [SQLTerm]) -> String {
    named([text(arguments[0]), text(arguments[1]), integer(arguments[2])]) { names in
      let (text, separator, number) = (names[0], names[1], names[2])
      let separators = "(length(\(text)) - length(replace(\(text), \(separator), ''))) / length(\(separator))"
      return "CASE WHEN \(number) BETWEEN 1 AND 1000000000 THEN CASE WHEN \(separator) <> '' THEN "
        + "CASE WHEN \(number) <= \(separators) + 1 THEN split_part(\(text), \(separator), \(number)::int) END END END"
    } + Self.collateByBytes
  }
}
