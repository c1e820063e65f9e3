// Schemas that look valid but are not: each declaration exists only for the compiler's message.

extension Schema {
  /// Not available: every parameter of the initialiser needs a column. It is declared only for the compiler's message.
  ///
  /// - Parameter pairs: relates each column to a parameter after the first, so that the initialiser is chosen if exactly one
  ///   column is missing.
  @available(
    *, unavailable,
    message: """
      a column is missing: the initialiser has one parameter more than the schema has columns; the columns follow the \
      order of the parameters; in a block, Schema(table:) { … }, the compiler shows the line
      """
  )
  @_disfavoredOverload
  public init<First, each Parameter, each Property>(
    _ table: String, _ make: @escaping @Sendable (First, repeat each Parameter) throws -> Element,
    _ columns: repeat Column<Element, each Property>, pairs: (repeat (each Parameter, each Property).Type)? = nil
  ) { preconditionFailure("unavailable declarations are never called") }

  /// Not available: the first column has no parameter. It is declared only for the compiler's message.
  @available(
    *, unavailable,
    message: """
      the first column has no parameter in the initialiser: a property with a value of its own, such as `let id = UUID()`, \
      is not a parameter; declare `let id: UUID`, and pass a UUID to the initialiser
      """
  )
  @_disfavoredOverload
  public init<First, each Property>(
    _ table: String, _ make: @escaping @Sendable (repeat each Property) throws -> Element,
    _ first: Column<Element, First>, _ columns: repeat Column<Element, each Property>
  ) { preconditionFailure("unavailable declarations are never called") }
}
