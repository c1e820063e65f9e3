import ErrorHandling
import Testing

@Suite("A program with a root, a flow and a screen")
struct AppTreeTests {
  /// The tree of the article: the root restarts expired sessions, the flow tells the user, the screen shows the rest.
  private struct App {
    let journal = Journal()
    let screen: ErrorHandler

    init() {
      let journal = journal
      let root = ErrorHandler(unhandled: { journal.write("nobody: \($0)") })
        .listen { journal.write("seen: \($0)") }
        .catch(AppError.expired) { _ in journal.write("root restarts the session") }
        // All but what the screen shows by itself.
        .catch(matching: .type(AppError.self) && !.value(AppError.missing) && !.value(AppError.rejected)) {
          journal.write("root shows \($0)")
        }
      let flow = root.replace(OtherError.self) { _ in AppError.missing }
      screen = flow.catch(AppError.missing) { _ in journal.write("screen shows an empty list") }
    }
  }

  @Test(
    "an error is handled at the root, excluded there and handled below, rewritten on the way, or handled by nobody",
    arguments: [
      (AppError.expired as any Error, ["seen: expired", "root restarts the session"], true),
      (AppError.numbered(7), ["seen: numbered(7)", "root shows numbered(7)"], true),
      (AppError.missing, ["seen: missing", "screen shows an empty list"], true),
      (OtherError(), ["seen: OtherError()", "screen shows an empty list"], true),
      (AppError.rejected, ["seen: rejected", "nobody: rejected"], false),
    ])
  func fourCases(error: any Error, expected: [String], isHandled: Bool) async {
    let app = App()
    let returned = await app.screen.throw(error)
    #expect(returned == isHandled)
    #expect(app.journal.lines == expected)

    await app.screen.throw(error) { app.journal.write("finally: \($0)") }
    #expect(app.journal.lines == expected + expected + ["finally: \(isHandled)"])
  }
}
