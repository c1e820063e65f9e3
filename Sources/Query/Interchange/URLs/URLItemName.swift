/// The items of a URL's query that belong to a request, and how their texts are read.
enum URLItemName: String {
  case `where`, sort, limit, offset, after, before

  func parse<Form>(_ make: () throws(ParseError) -> Form) throws(InterchangeError) -> Form {
    do throws(ParseError) {
      return try make()
    } catch {
      throw malformed("\(error.summary), at position \(error.position)", suggestion: error.suggestion)
    }
  }

  func cursor(_ text: String) throws(InterchangeError) -> Cursor {
    do throws(QueryError) {
      return try Cursor(parsing: text)
    } catch {
      throw malformed(error.summary, suggestion: error.suggestion)
    }
  }

  func integer(_ text: String) throws(InterchangeError) -> Int {
    // `Int` also reads "+5".
    if !text.hasPrefix("+"), let integer = Int(text) { return integer }
    // A sign and digits alone are a number that `Int` does not hold.
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      if digits.count < text.count { throw malformed("the number is too small", suggestion: "give 0 or more") }
      throw malformed("the number is too great", suggestion: "give \(Int.max) at most")
    }
    throw malformed("expected a whole number", suggestion: nil)
  }

  private func malformed(_ summary: String, suggestion: String?) -> InterchangeError {
    InterchangeError(.malformed, summary, path: rawValue, suggestion: suggestion)
  }
}
