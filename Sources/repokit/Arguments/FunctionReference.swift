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
    Function(
      "round(a, n)", "rounded to n digits after the point; without n, to a whole number", ("round(2.675, 2)", "2.68"),
      ("round(2.5)", "3.0")),
    Function("sign(a)", "-1, 0 or 1", ("sign(-2.5)", "-1")),
    Function("squareRoot(a)", "the square root; null for a negative number", ("squareRoot(49)", "7.0")),
    Function("least(a, b, …)", "the smallest of the numbers; null if a number is null", ("least(3, 7)", "3")),
    Function("greatest(a, b, …)", "the greatest of the numbers; null if a number is null", ("greatest(3, 7)", "7")),
  ]

  static let texts = [
    Function("a || b", "joins text", ("'a' || 'b'", "ab")),
    Function("length(t)", "the number of characters, as Unicode scalars", ("length('Café')", "4")),
    Function(
      "folded(t)", "the text without differences of case, as ignoring case compares", ("folded('Straße')", "strasse")),
    Function(
      "integer(t), number(t)", "the number that the text spells; null for other text", ("integer('-12')", "-12")),
    Function("trim(t)", "the text without blanks, tabs and line ends around it", ("trim(' a b ')", "a b")),
    Function(
      "replace(t, part, new)", "the text with new in place of each part", ("replace('555-12-3', '-', '')", "555123")),
    Function(
      "substring(t, start, count)", "count characters from the position start, which begins with 1",
      ("substring('Pikachu', 5, 3)", "chu"), ("substring('Pikachu', 5)", "chu")),
    Function("position(t, part)", "the position of the first part; 0 without one", ("position('Pikachu', 'chu')", "5")),
    Function(
      "part(t, separator, n)", "the n-th part between separators; null without such a part",
      ("part('ash@pallet.town', '@', 2)", "pallet.town")),
  ]

  static let dates = [
    Function(
      "year(d), month(d), day(d)", "parts of a date as numbers; null for other text", ("month('2024-05-06')", "5")),
    Function(
      "hour(d), minute(d), second(d)", "parts of a time in UTC; null without a time",
      ("hour('2024-05-06 07:08:09')", "7")),
    Function("weekday(d)", "from 1 for Monday to 7 for Sunday", ("weekday('2024-05-06')", "1")),
    Function("quarter(d)", "from 1 to 4", ("quarter('2024-05-06')", "2")),
    Function(
      "week(d), weekYear(d)", "the ISO week, and the year to which the week belongs", ("week('2024-12-30')", "1"),
      ("weekYear('2024-12-30')", "2025")),
    Function(
      "addDays(d, n)", "the date n days later, or earlier for a negative n", ("addDays('2024-02-28', 2)", "2024-03-01")),
    Function(
      "addMonths(d, n)", "the date n months later, at most the last day of the month",
      ("addMonths('2024-01-31', 1)", "2024-02-29")),
    Function(
      "daysBetween(start, end)", "the number of days, in UTC", ("daysBetween('2024-02-28', '2024-03-01')", "2")),
    Function(
      "secondsBetween(start, end)", "the number of whole seconds",
      ("secondsBetween('2024-05-06 07:00', '2024-05-06 08:30')", "5400")),
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
