public import Query

// Expressions that look valid but are not: each declaration exists only for the compiler's message, which would otherwise name
// some operator of Swift's own.

extension FieldProtocol {
  /// Not available: only numbers are added, and only texts are joined.
  @available(*, unavailable, message: "arithmetic needs numbers; `+` also joins strings")
  public static func + (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: operators of arithmetic require numbers.
  @available(*, unavailable, message: "arithmetic needs numbers")
  public static func - (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: operators of arithmetic require numbers.
  @available(*, unavailable, message: "arithmetic needs numbers")
  public static func * (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: operators of arithmetic require numbers.
  @available(*, unavailable, message: "arithmetic needs numbers")
  public static func / (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: a remainder requires integers.
  @available(*, unavailable, message: "`%` needs integers")
  public static func % (field: Self, value: some Any) -> Field<Property> { refused() }
}

extension FieldProtocol {
  /// Not available: `nil` is a condition of its own.
  @available(*, unavailable, message: "compare the optional directly: write `$0.isShiny == true`")
  public static func ?? (field: Self, value: Bool) -> AnyQuery where Property == Bool? { refused() }

  /// Not available: only an optional property can be compared with `nil`.
  @available(*, unavailable, message: "the property is never nil")
  public static func == (field: Self, value: _OptionalNilComparisonType) -> AnyQuery { refused() }

  /// Not available: only an optional property can be compared with `nil`.
  @available(*, unavailable, message: "the property is never nil")
  public static func != (field: Self, value: _OptionalNilComparisonType) -> AnyQuery { refused() }
}

extension FieldProtocol {
  /// Not available: only texts can be searched.
  @available(*, unavailable, message: "`contains` needs a text property, such as a String")
  public func contains(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts can be searched.
  @available(*, unavailable, message: "`hasPrefix` needs a text property, such as a String")
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts can be searched.
  @available(*, unavailable, message: "`hasSuffix` needs a text property, such as a String")
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts can be searched.
  @available(*, unavailable, message: "`like` needs a text property, such as a String")
  public func like(_ pattern: String, ignoringCase: Bool = false) -> AnyQuery { refused() }
}

// Members of Swift's texts that a query lacks, or has under another name.
extension FieldProtocol where Property: TextProperty {
  /// No column holds this property: the query is refused when it runs.
  @available(*, deprecated, message: "a query counts Unicode scalars, not characters: write `length`")
  public var count: Field<Int> { Field(key: "\(expression).count") }

  /// Not available: the operator has a parameter to ignore case.
  @available(
    *, unavailable,
    message: "write `folded`, or search with `ignoringCase: true`: `$0.name.contains(\"a\", ignoringCase: true)`"
  )
  public func lowercased() -> Field<String> { refused() }

  /// Not available: the operator has a parameter to ignore case.
  @available(*, unavailable, message: "search with `ignoringCase: true`: `$0.name.contains(\"A\", ignoringCase: true)`")
  public func uppercased() -> Field<String> { refused() }

  /// Not available: the operator is `hasPrefix`.
  @available(*, unavailable, message: "write `hasPrefix`")
  public func starts(with text: String) -> AnyQuery { refused() }
}

// These members are deprecated, not unavailable: otherwise, the compiler would prefer to interpret them as properties of a
// property, whose missing columns are reported only when the query runs.
extension FieldGroup where Group: Collection {
  /// No column holds this property: the query is refused when it runs.
  @available(*, deprecated, message: "a query can't count the items of a list: store the count in a property")
  public var count: Field<Int> { Field(key: schema.key(of: path.appending(path: \.count))) }

  /// No column holds this property: the query is refused when it runs.
  @available(*, deprecated, message: "a query can't search a list that is stored as JSON: store the items in a table")
  public var isEmpty: AnyQuery { .equal(key: schema.key(of: path.appending(path: \.isEmpty)), value: true) }
}

extension FieldGroup where Group: Sequence {
  /// Not available: a list is stored as one text of JSON.
  @available(*, unavailable, message: "a query can't search a list that is stored as JSON: store the items in a table")
  public func contains(_ item: Group.Element) -> AnyQuery { refused() }
}

private func refused() -> Never { preconditionFailure("unavailable declarations are never called") }
