import Query
import Testing

extension JSONErrorTests {
  /// A form that can't be read, and what its error says.
  struct Example: CustomTestStringConvertible, Sendable {
    let json: String
    let code: JSONCodingError.Code
    let path: String
    let summary: String
    let suggestion: String?

    init(
      _ json: String, _ code: JSONCodingError.Code, _ path: String, _ summary: String, _ suggestion: String? = nil
    ) {
      (self.json, self.code, self.path, self.summary, self.suggestion) = (json, code, path, summary, suggestion)
    }

    /// A query that can't be read, in a document.
    init(
      query: String, _ code: JSONCodingError.Code, _ path: String, _ summary: String, _ suggestion: String? = nil
    ) {
      self.init(#"{"version":1,"query":\#(query)}"#, code, "/query" + path, summary, suggestion)
    }

    var testDescription: String { json.debugDescription }
  }

  static let documents = [
    Example("true", .typeMismatch, "", "expected an object, found true"),
    Example("[]", .typeMismatch, "", "expected an object, found a list"),
    Example("{}", .missingField, "", "the document has no version", #"add "version": 1"#),
    Example(#"{"query":true}"#, .missingField, "", "the document has no version", #"add "version": 1"#),
    Example(
      #"{"version":2,"query":{"new":[]}}"#, .unsupportedVersion, "/version", "unknown version of the JSON form",
      "this release reads version 1"),
    Example(
      #"{"version":0,"query":true}"#, .unsupportedVersion, "/version", "unknown version of the JSON form",
      "this release reads version 1"),
    Example(#"{"version":"1"}"#, .typeMismatch, "/version", "expected a whole number, found text"),
    Example(#"{"version":1.5}"#, .typeMismatch, "/version", "expected a whole number, found a number"),
    Example(
      #"{"version":1}"#, .missingField, "", "the document has no query", #"write "query": true for all rows"#),
    Example(
      #"{"version":1,"qurey":true}"#, .unexpectedField, "", "the document has no field qurey", "did you mean query?"),
    Example(
      #"{"version":1,"query":true,"sort":[]}"#, .unexpectedField, "", "the document has no field sort",
      "the fields are version, query"),
    Example(
      #"{"version":1,"query":true,"query":false}"#, .repeatedField, "", "the field query occurs twice"),
    Example(#"{"version":1,"version":1,"query":true}"#, .repeatedField, "", "the field version occurs twice"),
  ]

  private static let fields = "the fields are key, op, value, lower, upper, values, ignoring, and, or, not, expression"

  static let queries = [
    Example(query: "null", .typeMismatch, "", "expected a query, found null"),
    Example(query: #""weight > 90""#, .typeMismatch, "", "expected a query, found text"),
    Example(query: "1", .typeMismatch, "", "expected a query, found a number"),
    Example(query: "[]", .typeMismatch, "", "expected a query, found a list"),
    Example(query: "{}", .missingField, "", "the condition has no key"),
    Example(query: #"{"nor":[]}"#, .unexpectedField, "", "a query has no field nor", "did you mean or?"),
    Example(query: #"{"xyzzy":[]}"#, .unexpectedField, "", "a query has no field xyzzy", fields),
    Example(query: #"{"and":true}"#, .typeMismatch, "/and", "expected a list of queries, found true"),
    Example(query: #"{"or":{}}"#, .typeMismatch, "/or", "expected a list of queries, found an object"),
    Example(
      query: #"{"and":[true,{"or":[false,7]}]}"#, .typeMismatch, "/and/1/or/1", "expected a query, found a number"),
    Example(query: #"{"not":[true]}"#, .typeMismatch, "/not", "expected a query, found a list"),
    Example(query: #"{"not":{"not":null}}"#, .typeMismatch, "/not/not", "expected a query, found null"),
    Example(
      query: #"{"and":[],"or":[]}"#, .unexpectedField, "", "or and and exclude each other",
      "put each part of the query into a separate object"),
    Example(
      query: #"{"key":"a","not":true}"#, .unexpectedField, "", "key and not exclude each other",
      "put each part of the query into a separate object"),
    Example(query: #"{"not":true,"not":true}"#, .repeatedField, "", "the field not occurs twice"),
  ]

  static let conditions = [
    Example(query: #"{"op":"=","value":1}"#, .missingField, "", "the condition has no key"),
    Example(
      query: #"{"key":"a","value":1}"#, .missingField, "", "the condition has no op", #"add "op", such as "op": "=""#),
    Example(query: #"{"key":"a","values":[]}"#, .missingField, "", "the condition has no op", #"add "op": "in""#),
    Example(query: #"{"key":"a","lower":1}"#, .missingField, "", "the condition has no op", #"add "op": "between""#),
    Example(query: #"{"key":1,"op":"=","value":1}"#, .typeMismatch, "/key", "expected text, found a number"),
    Example(
      query: #"{"key":{"key":"a"},"op":"=","value":1}"#, .unexpectedField, "/key",
      "an object with the field expression has no field key", "the fields are expression"),
    Example(
      query: #"{"key":"a","op":null,"value":1}"#, .typeMismatch, "/op", "expected the name of an operator, found null"),
    Example(query: #"{"key":"a","op":"="}"#, .missingField, "", "the condition has no value"),
    Example(
      query: #"{"key":"a","op":"=","values":[1]}"#, .unexpectedField, "", "values and = exclude each other",
      "= accepts value"),
    Example(
      query: #"{"key":"a","op":"=","value":"x","ignoring":"case"}"#, .unexpectedField, "",
      "ignoring and = exclude each other", "= accepts value"),
    Example(
      query: #"{"key":"a","op":"between","lower":1}"#, .missingField, "", "the condition has no upper"),
    Example(
      query: #"{"key":"a","op":"between","value":1}"#, .unexpectedField, "", "value and between exclude each other",
      "between accepts lower and upper"),
    Example(
      query: #"{"key":"a","op":"in","value":[1]}"#, .unexpectedField, "", "value and in exclude each other",
      "in accepts values"
    ),
    Example(
      query: #"{"key":"a","op":"in","values":1}"#, .typeMismatch, "/values", "expected a list of values, found a number"
    ),
    Example(
      query: #"{"key":"a","op":"in","values":[1,[2]]}"#, .typeMismatch, "/values/1", "expected a value, found a list",
      "write the list as the `values` of `in`"),
    Example(
      query: #"{"key":"a","op":"in","values":[1,{"key":"b"}]}"#, .unexpectedField, "/values/1",
      "`in` accepts values, not keys", "join conditions that use `=` with `or`"),
    Example(
      query: #"{"key":"a","op":"in","values":[{"name":"b"}]}"#, .unexpectedField, "/values/0",
      "an object with the field real or blob has no field name", "the fields are real, blob"),
    Example(
      query: #"{"key":"a","op":"contains","value":5}"#, .typeMismatch, "/value",
      "expected text to search for, found a number"),
    Example(
      query: #"{"key":"a","op":"like","value":{"key":"b"}}"#, .typeMismatch, "/value",
      "expected text to search for, found an object"),
    Example(
      query: #"{"key":"a","op":"like","value":"x","ignoring":true}"#, .typeMismatch, "/ignoring",
      #"expected "case", found true"#),
    Example(
      query: #"{"key":"a","op":"like","value":"x","ignoring":"accents"}"#, .invalidValue, "/ignoring",
      "`ignoring` accepts only \"case\"", #"write "case""#),
    Example(
      query: #"{"key":"a","key":"a","op":"=","value":1}"#, .repeatedField, "", "the field key occurs twice"),
  ]

  static let values = [
    value("{}", .missingField, "", "the object has no fields", "write the field key or expression or real or blob"),
    value(
      #"{"int":5}"#, .unexpectedField, "",
      "an object with the field key or expression or real or blob has no field int",
      "the fields are key, expression, real, blob"),
    value(#"{"real":1,"blob":""}"#, .unexpectedField, "", "blob and real exclude each other"),
    value(#"{"key":5}"#, .typeMismatch, "/key", "expected text, found a number"),
    value(#"{"real":"nan"}"#, .typeMismatch, "/real", #"expected a number, "infinity" or "-infinity", found text"#),
    value(#"{"real":null}"#, .typeMismatch, "/real", #"expected a number, "infinity" or "-infinity", found null"#),
    value(#"{"blob":[1]}"#, .typeMismatch, "/blob", "expected Base64 text, found a list"),
    value(
      #"{"blob":"AQI"}"#, .invalidValue, "/blob", "write a blob as Base64 text",
      "use the letters A-Z, a-z, 0-9, + and /, padded with = (RFC 4648, section 4)"),
    rounded("9223372036854775808", "9.223372036854776e+18"), rounded("-9223372036854775809", "-9.223372036854776e+18"),
    rounded("1e300", "1e+300"), rounded("10000000000000000000000", "1e+22"),
  ]

  private static func value(
    _ value: String, _ code: JSONCodingError.Code, _ path: String, _ summary: String, _ suggestion: String? = nil
  ) -> Example {
    Example(query: #"{"key":"a","op":"=","value":\#(value)}"#, code, "/value" + path, summary, suggestion)
  }

  private static func rounded(_ number: String, _ real: String) -> Example {
    value(
      number, .invalidValue, "", "a number this large may be a rounded integer",
      "write an integer with all its digits, up to 9223372036854775807, and a real with a tag: {\"real\": \(real)}")
  }
}
