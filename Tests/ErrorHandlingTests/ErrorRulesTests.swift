import ErrorHandling
import Foundation
import Testing

@Suite("Rules about errors")
struct ErrorRulesTests {
  private let journal = Journal()

  private func write(_ line: String, _ step: ErrorRules.Step) -> ErrorRules.Action {
    let journal = journal
    return { _ in
      journal.write(line)
      return step
    }
  }

  @Test(
    "are asked from the last one, until one stops; without a match those for no match, and then those for always",
    arguments: [
      (AppError.missing, ["missing 2", "missing 1", "any", "always 2", "always 1"], false),
      (.expired, ["expired", "always 2", "always 1"], true),
      (.rejected, ["no match 3", "no match 2", "always 2", "always 1"], true),
    ] as [(AppError, [String], Bool)])
  func order(error: AppError, expected: [String], isHandled: Bool) async {
    let journal = journal
    let isAny = ErrorMatcher.value(AppError.missing) || .value(AppError.expired)
    let rules = ErrorRules()
      .onNoMatch(do: write("no match 1", .stop))
      .on(matching: isAny, do: write("any", .next))
      .on(matching: .value(AppError.missing), do: write("missing 1", .next))
      .always { _ in
        journal.write("always 0")
        return .next
      }
      .always { _ in
        journal.write("always 1")
        return .stop
      }
      .onNoMatch(do: write("no match 2", .stop))
      .on(matching: .value(AppError.missing), do: write("missing 2", .next))
      .on(matching: .value(AppError.expired), do: write("expired", .stop))
      .onNoMatch(do: write("no match 3", .next))
      .always { _ in
        journal.write("always 2")
        return .next
      }
    #expect(await rules.handle(error) == isHandled)
    #expect(journal.lines == expected)
  }

  @Test("get the error as what they ask for")
  func typed() async {
    let journal = journal
    let rules = ErrorRules()
      .onError(ofType: AppError.self) { error in
        journal.write("type \(error)")
        return error == .expired ? .next : .stop
      }
      .on(AppError.missing) { error in
        journal.write("value \(error)")
        return .next
      }
      .onNSError(domain: "shop") { error in
        journal.write("shop \(error.code)")
        return .stop
      }
      .onNSError(domain: "shop", code: 2) { error in
        journal.write("shop 2, \(error.userInfo["item"] ?? "nothing")")
        return .next
      }
      .on(matching: { $0 is OtherError }) { _ in
        journal.write("condition")
        return .stop
      }
    let errors: [any Error] = [
      AppError.missing, AppError.expired, NSError(domain: "shop", code: 1),
      NSError(domain: "shop", code: 2, userInfo: ["item": "potion"]), OtherError(), CancellationError(),
    ]
    var handled: [Bool] = []
    for error in errors { handled.append(await rules.handle(error)) }
    #expect(handled == [true, false, true, true, true, false])
    #expect(
      journal.lines == [
        "value missing", "type missing", "type expired", "shop 1", "shop 2, potion", "shop 2", "condition",
      ])
  }

  @Test("are a value: who extends them changes nothing for others")
  func extending() async {
    let standard = ErrorRules().onNoMatch(do: write("standard", .stop))
    let extended = standard.on(AppError.missing) { [journal] _ in
      journal.write("extended")
      return .stop
    }
    await extended.handle(AppError.missing)
    await extended.handle(AppError.expired)
    await standard.handle(AppError.missing)
    #expect(journal.lines == ["extended", "standard", "standard"])
  }

  @Test("put what they throw in the place of the error, and still do what they always do")
  func throwing() async {
    let journal = journal
    let rules = ErrorRules()
      .on(matching: .any, do: write("not asked", .stop))
      .on(AppError.missing) { _ in throw OtherError() }
      .always { error in
        journal.write("always \(error)")
        return .next
      }
    let handler = ErrorHandler().catch(by: rules).listen { journal.write("below \($0)") }
    #expect(await handler.throw(AppError.missing) == false)
    #expect(journal.lines == ["always missing", "below OtherError()"])
  }
}
