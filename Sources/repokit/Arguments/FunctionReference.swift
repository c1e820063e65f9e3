/// The meaning of each operator and function of the query language, with examples that a test evaluates.
enum FunctionReference {
  /// An operator or a function.
  struct Function: Sendable {
    /// Its form, such as `year(d)`.
    let form: String
    /// Its result in a few words.
    let meaning: String
    /// Expressions, each with its value.
    let examples: [(expression: String, value: String)]

    init(_ form: String, _ meaning: String, _ examples: (expression: String, value: String)...) {
      (self.form, self.meaning, self.examples) = (form, meaning, examples)
    }

    /// The function as a list of the help shows it.
    var row: (String, String) {
      let texts = examples.map { "\($0.expression) is \($0.value)" }
      return (form, meaning + (texts.isEmpty ? "" : ": " + texts.joined(separator: ", ")))
    }
  }

  static let sections: [(title: String, functions: [Function])] = [
    ("Numbers", numbers), ("Text", texts), ("Dates", dates), ("Choices", choices),
    ("Aggregates", aggregates),
  ]

  static let numbers = [
    Function("a + b, a - b, a * b", "integers stay integers; null beyond 64 bits", ("6 * 7", "42")),
    Function(
      "a / b", "of two integers an integer, rounded toward zero; null for a division by zero", ("7 / 2", "3"),
      ("7 / 2.0", "3.5")),
    Function("a % b", "the remainder of integers, with the sign of a", ("7 % 3", "1"), ("-7 % 3", "-1")),
    Function("abs(a)", "the number without its sign", ("abs(-2)", "2")),
    Function("floor(a)", "the next whole number below", ("floor(-2.5)", "-3.0")),
    Function("ceiling(a)", "the next whole number above", ("ceiling(2.1)", "3.0")),
  ]

  static let texts = [
    Function("a || b", "joins text", ("'a' || 'b'", "ab")),
    Function("length(t)", "the number of characters, as Unicode scalars", ("length('Café')", "4")),
    Function(
      "folded(t)", "the text without differences of case, as ignoring case compares", ("folded('Straße')", "strasse")),
  ]

  static let dates = [
    Function(
      "year(d), month(d), day(d)", "parts of a date as numbers; null for other text", ("month('2024-05-06')", "5")),
    Function(
      "hour(d), minute(d), second(d)", "parts of a time in UTC; null without a time",
      ("hour('2024-05-06 07:08:09')", "7")),
    Function("weekday(d)", "from 1 for Monday to 7 for Sunday", ("weekday('2024-05-06')", "1")),
    Function("date(d)", "the day as text", ("date('2024-05-06 07:08:09')", "2024-05-06")),
    Function("yearMonth(d)", "the year and the month as text", ("yearMonth('2024-05-06')", "2024-05")),
    Function("now, today", "the current time, and the current day, in UTC"),
  ]

  static let choices = [
    Function("coalesce(a, b, …)", "the first value that is not null", ("coalesce(null, 'other')", "other")),
    Function("if(query, a, b)", "a if the query is true, else b", ("if(2 > 1, 'yes', 'no')", "yes")),
  ]

  static let aggregates = [
    Function("count()", "the number of rows"),
    Function("count(k)", "the number of rows with a value, which excludes nulls"),
    Function("countDistinct(k)", "the number of different values"),
    Function("sum(k)", "the exact sum; 0 without rows"),
    Function("average(k)", "the average; null without values"),
    Function("min(k), max(k)", "the smallest and the greatest value"),
    Function("sum(k where query)", "an aggregate of the rows that match a query"),
    Function("count(track by album)", "the number of rows of track that refer to this row by album"),
    Function("sum(length of track)", "an aggregate of such rows; also min, max and average"),
  ]
}
