import Query

/// What holds for every cursor that was read.
enum CursorLaws {
  static func check(_ cursor: Cursor) {
    let text = cursor.description
    let again = Law.mustSucceed("what a cursor prints is read", [text]) { try Cursor(parsing: text) }
    Law.require(again == cursor && again.description == text, "what a cursor prints is read as the same", [text])
    Arena.shared.ask(FetchRequest(after: cursor))
    Arena.shared.ask(FetchRequest(before: cursor))
    Arena.shared.ask(FetchRequest(sortedBy: Arena.cursorSort, after: cursor))
    Arena.shared.ask(FetchRequest(sortedBy: Arena.cursorSort, limit: 2, before: cursor))
  }
}
