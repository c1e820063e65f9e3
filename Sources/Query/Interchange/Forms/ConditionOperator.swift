/// The operators of conditions, by the names that they have in the text form of a query.
enum ConditionOperator: RawRepresentable, CaseIterable {
  case relation(Relation)
  case between
  case `in`
  case text(TextOperation)

  static let allCases =
    Relation.allCases.map(Self.relation) + [.between, .in] + TextOperation.allCases.map(Self.text)

  var rawValue: String {
    switch self {
    case .relation(let relation): relation.rawValue
    case .between: "between"
    case .in: "in"
    case .text(let operation): operation.rawValue
    }
  }

  init?(rawValue: String) {
    if let relation = Relation(rawValue: rawValue) {
      self = .relation(relation)
    } else if let operation = TextOperation(rawValue: rawValue) {
      self = .text(operation)
    } else if rawValue == "between" {
      self = .between
    } else if rawValue == "in" {
      self = .in
    } else {
      return nil
    }
  }

  /// The fields that a condition has besides its key and its operator, and which of them may be left out.
  var fields: (required: [FormField], optional: [FormField]) {
    switch self {
    case .relation: ([.value], [])
    case .between: ([.lower, .upper], [])
    case .in: ([.values], [])
    case .text: ([.value], [.ignoring])
    }
  }
}
