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

// A number of a type of one's own can be calculated with, but the result is a plain number.
extension FieldProtocol where Property: NumberProperty {
  /// Not available: the sum is an Int or a Double.
  @available(*, unavailable, message: "the sum is an Int or Double: compare with a number, `$0.price + 100 > 500`")
  public static func + (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: the difference is an Int or a Double.
  @available(
    *, unavailable, message: "the difference is an Int or Double: compare with a number, `$0.price - 100 > 500`"
  )
  public static func - (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: the product is an Int or a Double.
  @available(*, unavailable, message: "the product is an Int or Double: compare with a number, `$0.price * 2 > 500`")
  public static func * (field: Self, value: some Any) -> Field<Property> { refused() }

  /// Not available: the quotient is an Int or a Double.
  @available(*, unavailable, message: "the quotient is an Int or Double: compare with a number, `$0.price / 2 > 500`")
  public static func / (field: Self, value: some Any) -> Field<Property> { refused() }
}

// In an update, only an Int and a Double can hold every result.
extension FieldProtocol {
  /// Not available: an update computes `Int` and `Double` properties.
  @available(*, unavailable, message: "`+=` needs an Int or Double property: assign a value")
  public static func += (field: inout Self, value: some Any) { refused() }

  /// Not available: an update computes `Int` and `Double` properties.
  @available(*, unavailable, message: "`-=` needs an Int or Double property: assign a value")
  public static func -= (field: inout Self, value: some Any) { refused() }

  /// Not available: an update computes `Int` and `Double` properties.
  @available(*, unavailable, message: "`*=` needs an Int or Double property: assign a value")
  public static func *= (field: inout Self, value: some Any) { refused() }

  /// Not available: an update computes `Int` and `Double` properties.
  @available(*, unavailable, message: "`/=` needs an Int or Double property: assign a value")
  public static func /= (field: inout Self, value: some Any) { refused() }
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

extension FieldGroup {
  /// Not available: neither JSON nor a struct that may be missing has properties in a query.
  @available(
    *, unavailable,
    message: """
      a query reads no property of JSON; if the property of an optional struct has a column, write the key path: \
      `$0[\\.orbit?.period]`
      """
  )
  public subscript<Wrapped, Property: ValueConvertible>(
    dynamicMember path: KeyPath<Wrapped, Property>
  ) -> Field<Property?> where Group == Wrapped? { refused() }
}

extension FieldGroup where Group: Collection {
  /// No column holds an item: the query is refused when it runs.
  @available(
    *, deprecated, message: "a query reads no item of a collection that is stored as JSON: store the items in a table"
  )
  public subscript(position: Group.Index) -> Field<Group.Element> { Field(key: "\(schema.key(of: path))[…]") }

  /// No column holds a value of a dictionary: the query is refused when it runs.
  @available(
    *, deprecated, message: "a query reads no item of a collection that is stored as JSON: store the items in a table"
  )
  public subscript<Key, Item>(key: Key) -> Field<Item?> where Group == [Key: Item] {
    Field(key: "\(schema.key(of: path))[…]")
  }
}

extension FieldGroup where Group: Sequence {
  /// Not available: a list is stored as one text of JSON.
  @available(*, unavailable, message: "a query can't search a list that is stored as JSON: store the items in a table")
  public func contains(_ item: Group.Element) -> AnyQuery { refused() }
}

private func refused() -> Never { preconditionFailure("unavailable declarations are never called") }
