public import Query

// What can't be asked, and reads as if it could: each is declared for the compiler's message alone, which would speak of
// some operator of Swift's otherwise.

extension FieldProtocol {
  /// Not available: there is nothing to add.
  @available(*, unavailable, message: "only numbers are calculated with, and texts are joined by `+`")
  public static func + (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: only numbers are calculated with.
  @available(*, unavailable, message: "only numbers are calculated with")
  public static func - (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: only numbers are calculated with.
  @available(*, unavailable, message: "only numbers are calculated with")
  public static func * (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: only numbers are calculated with.
  @available(*, unavailable, message: "only numbers are calculated with")
  public static func / (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: a remainder is one of integers.
  @available(*, unavailable, message: "only integers have a remainder")
  public static func % (field: Self, value: some Any) -> Field<Property> { refused() }
}

extension FieldProtocol {
  /// Not available: `nil` is asked for by itself.
  @available(*, unavailable, message: "a query has no default for nil: write `$0.isShiny == true`")
  public static func ?? (field: Self, value: Bool) -> AnyQuery where Property == Bool? { refused() }

  /// Not available: only a property that may be `nil` is compared with it.
  @available(*, unavailable, message: "the property is never nil")
  public static func == (field: Self, value: _OptionalNilComparisonType) -> AnyQuery { refused() }

  /// Not available: only a property that may be `nil` is compared with it.
  @available(*, unavailable, message: "the property is never nil")
  public static func != (field: Self, value: _OptionalNilComparisonType) -> AnyQuery { refused() }
}

extension FieldProtocol {
  /// Not available: only texts are searched.
  @available(*, unavailable, message: "only texts are searched: the property's type is no TextProperty")
  public func contains(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts are searched.
  @available(*, unavailable, message: "only texts are searched: the property's type is no TextProperty")
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts are searched.
  @available(*, unavailable, message: "only texts are searched: the property's type is no TextProperty")
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> AnyQuery { refused() }

  /// Not available: only texts are searched.
  @available(*, unavailable, message: "only texts are searched: the property's type is no TextProperty")
  public func like(_ pattern: String, ignoringCase: Bool = false) -> AnyQuery { refused() }
}

// A value is compared as a whole.
extension FieldProtocol where Property: TextProperty {
  /// No column keeps it: the query is refused when it runs.
  @available(*, deprecated, message: "a query counts Unicode scalars, not characters: write `length`")
  public var count: Field<Int> { Field(key: "\(expression).count") }

  /// Not available: case is ignored by the operator.
  @available(
    *, unavailable,
    message: "write `folded`, or search with `ignoringCase: true`: `$0.name.contains(\"a\", ignoringCase: true)`"
  )
  public func lowercased() -> Field<String> { refused() }

  /// Not available: case is ignored by the operator.
  @available(*, unavailable, message: "search with `ignoringCase: true`: `$0.name.contains(\"A\", ignoringCase: true)`")
  public func uppercased() -> Field<String> { refused() }

  /// Not available: the operator is `hasPrefix`.
  @available(*, unavailable, message: "write `hasPrefix`")
  public func starts(with text: String) -> AnyQuery { refused() }
}

// Not unavailable, as the compiler would prefer to take them for properties of a property then, whose columns are missed when
// the query runs.
extension FieldGroup where Group: Collection {
  /// No column keeps it: the query is refused when it runs.
  @available(*, deprecated, message: "no column keeps the length of a list: give it a property of its own")
  public var count: Field<Int> { Field(key: schema.key(of: path.appending(path: \.count))) }

  /// No column keeps it: the query is refused when it runs.
  @available(*, deprecated, message: "a list that is kept as JSON can't be searched: keep its items in a table")
  public var isEmpty: AnyQuery { .equal(key: schema.key(of: path.appending(path: \.isEmpty)), value: true) }
}

// Not of texts, which are sequences as well and have an `in` of their own.
extension FieldGroup where Group: Sequence & ExpressibleByArrayLiteral {
  /// Not available: a property that no column holds as it is, is kept as one text of JSON.
  @available(*, unavailable, message: "a property that is kept as JSON can't be compared")
  public func `in`(_ values: [Group]) -> AnyQuery { refused() }
}

extension FieldGroup where Group: Sequence {
  /// Not available: a list is kept as one text of JSON.
  @available(*, unavailable, message: "a list that is kept as JSON can't be compared: keep its items in a table")
  public static func == (list: Self, value: Group) -> AnyQuery { refused() }

  /// Not available: a list is kept as one text of JSON.
  @available(*, unavailable, message: "a list that is kept as JSON can't be compared: keep its items in a table")
  public static func != (list: Self, value: Group) -> AnyQuery { refused() }

  /// Not available: a list is kept as one text of JSON.
  @available(*, unavailable, message: "a list that is kept as JSON can't be searched: keep its items in a table")
  public func contains(_ item: Group.Element) -> AnyQuery { refused() }
}

private func refused() -> Never { preconditionFailure("what is unavailable is never called") }
