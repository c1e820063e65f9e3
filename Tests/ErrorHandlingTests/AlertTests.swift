import ErrorHandling
import Testing

struct BoxError: FriendlyError {
  var summary = "the box is full"
  var reason: String? = "it holds 30 Pokémon"
  var suggestion: String? = "release one, or choose another box"
}

@Suite("Alerts")
struct AlertTests {
  private let recovery = Recovery("Choose Another Box") {}
  private let release = Recovery("Release All", isDestructive: true) {}

  @Test("confirm with one way out, suggest with two, and never make a destructive one the default")
  func buttons() {
    let alerts = [
      Alert(BoxError()), Alert(BoxError(), recovery: recovery), Alert(BoxError(), recovery: release),
      Alert(BoxError(), recovery: release, dismissal: "Abbrechen"),
    ]
    let shown = alerts.map { alert in
      alert.buttons.map { "\($0.name), \($0.answer)\($0.isDestructive ? ", destructive" : "")" }
    }
    #expect(
      shown == [
        ["OK, dismiss"], ["Choose Another Box, recover", "Cancel, dismiss"],
        ["Cancel, dismiss", "Release All, recover, destructive"],
        ["Abbrechen, dismiss", "Release All, recover, destructive"],
      ])
    for alert in alerts {
      #expect(alert.buttons.map(\.isDefault) == Array([true, false].prefix(alert.buttons.count)))
      #expect(!alert.buttons.contains { $0.isDefault && $0.isDestructive })
    }
  }

  @Test(
    "say what the error says, in sentences",
    arguments: [
      (
        BoxError(), "The box is full", "It holds 30 Pokémon. Release one, or choose another box."
      ),
      (BoxError(reason: nil, suggestion: nil), "The box is full", nil),
      (BoxError(summary: "second_type is null", reason: "why not?", suggestion: ""), "second_type is null", "Why not?"),
      (BoxError(summary: "iCloud is off", reason: "wait… ", suggestion: nil), "iCloud is off", "Wait…"),
      (
        BoxError(summary: "well, it's full", reason: "a.b", suggestion: "see box.30"), "Well, it's full",
        "a.b. See box.30."
      ),
      (BoxError(summary: "", reason: " ", suggestion: nil), "", nil),
      (CancellationError(), "The task was cancelled", "Start the task again if you still need the result."),
    ] as [(any Error, String, String?)])
  func wording(error: any Error, title: String, message: String?) {
    let alert = Alert(error)
    #expect(alert.title == title && alert.message == message)
    #expect(type(of: alert.error.base) == type(of: error))
  }

  /// Answers as it is told, and notes what it was asked.
  private struct Presenter: AlertPresenter {
    let answer: Alert.Answer
    let journal: Journal

    func ask(_ alert: Alert) async -> Alert.Answer {
      journal.write("asked: \(alert.title)")
      return answer
    }
  }

  @Test("recover where the user decides to, and a recovery's own error comes down the tree", arguments: [true, false])
  func recovering(isWanted: Bool) async {
    let journal = Journal()
    let presenter = Presenter(answer: isWanted ? .recover : .dismiss, journal: journal)
    let handler = ErrorHandler()
      .present(on: presenter) { error in
        guard error is BoxError else { return nil }
        return Recovery("Try Again") {
          journal.write("recovers")
          throw AppError.missing
        }
      }
      .listen { journal.write("below: \($0)") }
    let isHandled = await handler.throw(BoxError())
    #expect(isHandled == !isWanted)
    #expect(journal.lines == ["asked: The box is full"] + (isWanted ? ["recovers", "below: missing"] : []))
    #expect(await handler.throw(OtherError()))
    // Nothing to tell anybody.
    #expect(await handler.throw(CancellationError()) == false)
  }
}
