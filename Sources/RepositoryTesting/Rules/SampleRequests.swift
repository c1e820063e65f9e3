import Query
import Repository

/// The application of a rule's requests to samples: the columns, the values, and the part of the results that is compared.
struct SampleRequests: Sendable {
  /// The columns to which a request is applied.
  enum Target: Sendable {
    case table, columns
    /// Two columns that can be compared, in both orders.
    case pairs
    /// Each column and the next one.
    case neighbours
  }

  /// The part of the found elements that is compared: if a rule is about a part of the order, the rest belongs to other rules.
  enum Part: Sendable {
    case keys
    /// The values of the column, either those of one kind, or all but nulls.
    case values(Value.Kind? = nil)
    /// The values of both columns.
    case both
    /// Whether the column is null.
    case nulls
    /// The keys of the rows with a value, and, separately, of the rows with a null.
    case ties
  }

  let target: Target
  let isMeant: @Sendable (SampleColumn, SampleColumn) -> Bool
  let values: SampleValues
  /// The requests; `nil` for those of the rule's own rows.
  let forms: [String]?
  let part: Part

  private init(
    _ target: Target, values: SampleValues = .single, part: Part = .keys, _ forms: [String],
    where isMeant: @escaping @Sendable (SampleColumn, SampleColumn) -> Bool
  ) {
    self.target = target
    self.isMeant = isMeant
    self.values = values
    self.forms = forms.isEmpty ? nil : forms
    self.part = part
  }

  static func columns(
    _ forms: String..., values: SampleValues = .single, part: Part = .keys,
    where isMeant: @escaping @Sendable (SampleColumn) -> Bool = { _ in true }
  ) -> SampleRequests {
    SampleRequests(.columns, values: values, part: part, forms) { column, _ in isMeant(column) }
  }

  static func pairs(
    _ forms: String..., where isMeant: @escaping @Sendable (SampleColumn, SampleColumn) -> Bool = { _, _ in true }
  ) -> SampleRequests {
    SampleRequests(.pairs, forms, where: isMeant)
  }

  static func neighbours(
    _ forms: String..., values: SampleValues = .single, part: Part = .keys,
    where isMeant: @escaping @Sendable (SampleColumn, SampleColumn) -> Bool = { _, _ in true }
  ) -> SampleRequests {
    SampleRequests(.neighbours, values: values, part: part, forms, where: isMeant)
  }

  /// Makes requests that are applied to no column.
  static func table(_ forms: String...) -> SampleRequests { SampleRequests(.table, forms) { _, _ in true } }
}

/// The values of a column that replace those of a rule's requests: one, two or three for each request.
struct SampleValues: Sendable {
  let tuples: @Sendable (SampleColumn) -> [[Value]]

  init(_ tuples: @escaping @Sendable (SampleColumn) -> [[Value]]) { self.tuples = tuples }

  /// Some values of the rows, each in the place of all values of a request.
  static let single = SampleValues { column in column.someValues.map { [$0] } }

  /// Values close to those of the rows, of one kind.
  static func probes(_ kind: Value.Kind) -> SampleValues {
    SampleValues { column in column.probes.filter { $0.kind == kind }.prefix(10).map { [$0] } }
  }

  /// A lower and an upper bound.
  static let bounds = SampleValues { column in
    let values = column.someValues
    return values.isEmpty ? [] : zip(values, values.dropFirst(values.count / 2)).map { [$0, $1] }
  }

  /// An upper and a lower bound.
  static let reversedBounds = SampleValues { column in
    bounds.tuples(column).filter { $0[0] < $0[1] }.map { $0.reversed() }
  }

  /// Values of lists.
  static let lists = SampleValues { column in
    let values = column.someValues
    return values.isEmpty ? [] : values.indices.map { index in [0, 1, 2].map { values[(index + $0) % values.count] } }
  }

  /// Returns variants of each text of some rows.
  static func texts(_ variants: @escaping @Sendable (String) -> [String]) -> SampleValues {
    SampleValues { column in column.texts.flatMap { variants($0).map { [.text($0)] } } }
  }

  /// Returns those variants of each text of some rows that have other bytes than the text.
  static func otherTexts(_ variants: @escaping @Sendable (String) -> [String]) -> SampleValues {
    // To `String`'s own `==`, a composed and a decomposed "é" are the same.
    texts { text in variants(text).filter { Value.text($0) != .text(text) } }
  }

  static let numberNeighbours = SampleValues { column in
    column.someValues.flatMap { value -> [[Value]] in
      switch value {
      case .integer(let integer): [[.real(Double(integer))], [.real(Double(integer) + 0.5)]]
      case .real(let real): Int64(exactly: real.rounded()).map { [[.integer($0)]] } ?? []
      default: []
      }
    }
  }

  /// The neighbours of large integers, which a real can't distinguish.
  static let largeNeighbours = SampleValues { column in
    column.values.flatMap { value -> [[Value]] in
      var whole: Int64?
      if case .integer(let integer) = value { whole = integer }
      if case .real(let real) = value { whole = Int64(exactly: real) }
      guard let whole, whole.magnitude >= 1 << 53 else { return [] }
      return [whole.addingReportingOverflow(1), whole.subtractingReportingOverflow(1)]
        .filter { !$0.overflow }.map { [.integer($0.partialValue)] }
    }
  }

  /// A value that the column can hold, and one of a kind that it can't.
  static let unfit = SampleValues { column in
    guard let fit = column.values.first else { return [] }
    return [.integer(7), .real(7.5), .text("7"), .blob([7])]
      .filter { !column.schema.kinds.contains($0.kind) }.map { [$0, fit] }
  }

  static func constant(_ values: Value...) -> SampleValues { SampleValues { _ in values.map { [$0] } } }
}

extension SampleContext {
  /// Makes the requests of a rule, and compares the answers with those in memory.
  func ask(_ samples: SampleRequests, _ rows: [RequestRow]) async throws {
    var seen: Set<String> = []
    for form in samples.forms ?? rows.compactMap(\.form) where seen.insert(form).inserted {
      let request = TextRequest(form)
      let isOfTable = samples.target == .table || !form.contains(#/\bK\b/#)
      for (column, other) in isOfTable ? [] : targets(samples.target) where samples.isMeant(column, other) {
        let tuples = form.contains(":v") ? samples.values.tuples(column) : [[]]
        for values in tuples.prefix(12) {
          // If there are fewer values than placeholders, the last value is repeated; `:x` is a value of the other column.
          let values =
            (values + Array(repeating: values.last ?? .null, count: 2)).prefix(3) + [other.values.last ?? .null]
          await ask(
            try request.request(
              keys: [column.key, other.key, unknownKey], values: Array(values), count: elements.count), samples.part,
            column,
            other)
        }
      }
      if isOfTable { await ask(try request.request(keys: ["", "", unknownKey], count: elements.count)) }
    }
  }

  private func targets(_ target: SampleRequests.Target) -> [(SampleColumn, SampleColumn)] {
    switch target {
    case .table: []
    case .columns: columns.map { ($0, $0) }
    case .pairs: pairs
    case .neighbours: columns.count < 2 ? [] : Array(zip(columns, columns.dropFirst() + columns.prefix(1)))
    }
  }

  private func ask(_ request: TextRequest.Request) async {
    switch request {
    case .query(let query): await ask(query)
    case .fetch(let request): await ask(request)
    case .aggregates(let request): await ask(request)
    }
  }

  private func ask(
    _ request: TextRequest.Request, _ part: SampleRequests.Part, _ column: SampleColumn, _ other: SampleColumn
  ) async {
    guard case .fetch(let fetch) = request else { return await ask(request) }
    let position = column.position
    switch part {
    case .keys: await ask(fetch)
    case .values(let kind):
      await ask(fetch, "the values of \(column.key)") { rows in
        rows.map { [$0[position]] }.filter { kind == nil ? !$0[0].isNull : $0[0].kind == kind }
      }
    case .both:
      await ask(fetch, "the values of \(column.key) and \(other.key)") { rows in
        rows.map { [$0[position], $0[other.position]] }
      }
    case .nulls:
      await ask(fetch, "whether \(column.key) is null") { rows in
        rows.map { [$0[position].isNull ? "null" : "a value"] }
      }
    case .ties:
      for isNull in [false, true] {
        await ask(fetch, "the keys of those \(isNull ? "without" : "with") \(column.key)") { rows in
          rows.filter { $0[position].isNull == isNull }.map(samples.key)
        }
      }
    }
  }

  /// Pairs of columns that can be compared with each other, in both orders.
  var pairs: [(SampleColumn, SampleColumn)] {
    let most = 24
    return Array(
      columns.flatMap { lhs in
        columns.filter { $0.position != lhs.position && !$0.schema.kinds.isDisjoint(with: lhs.schema.kinds) }
          .map { (lhs, $0) }
      }.prefix(most))
  }

  /// A key that the table does not have.
  var unknownKey: String {
    var key = "colour"
    while columns.contains(where: { $0.key == key }) { key += "r" }
    return key
  }
}
