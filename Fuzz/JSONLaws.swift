import Query

/// What holds for the JSON form of everything that was read.
enum JSONLaws {
  static func check<Model: JSONCodable & Hashable>(_ model: Model) {
    let text = Law.mustSucceed("what was read has a JSON form", ["\(model)"]) { try model.json }
    let again = Law.mustSucceed("the JSON form is read", [text]) { try Model(json: text) }
    Law.require(again == model, "the JSON form is read as an equal one", [text, "\(model)", "\(again)"])
    let printed = Law.mustSucceed("what was read has a JSON form", [text]) { try again.json }
    Law.require(printed == text, "what is read has the same JSON form", [text, printed])
  }
}
