import Foundation
import Query

/// What holds for the JSON form of everything that was read.
enum JSONLaws {
  /// Reads a text as Foundation does; `nil` if it is refused in words.
  ///
  /// Two readers that were written apart hardly misread a text alike, while what one misreads it may well write back as it was.
  static func read<Model: JSONCodable & Hashable>(_ text: String, as type: Model.Type) -> Model? {
    guard let model = try? Model(json: text) else { return nil }
    // Foundation refuses what is nested more deeply than that, which has as many brackets at least.
    if text.utf8.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > 512 { return model }
    let other = Law.mustSucceed("what is read is JSON to others", [text]) {
      try JSONDecoder().decode(Model.self, from: Data(text.utf8))
    }
    Law.require(other == model, "JSON means the same to others", [text, "\(model)", "\(other)"])
    return model
  }

  static func check<Model: JSONCodable & Hashable>(_ model: Model) {
    let text = Law.mustSucceed("what was read has a JSON form", ["\(model)"]) { try model.json }
    let again = Law.mustSucceed("the JSON form is read", [text]) { try Model(json: text) }
    Law.require(again == model, "the JSON form is read as an equal one", [text, "\(model)", "\(again)"])
    let printed = Law.mustSucceed("what was read has a JSON form", [text]) { try again.json }
    Law.require(printed == text, "what is read has the same JSON form", [text, printed])
  }
}
