// Why statements: the call with the initialiser and all columns, `Schema.init(_:_:_:)`, is one expression, and the
// compiler finds what is wrong in it by trial: a parameter `Double?` may be called with a `Double`, so that it tries
// either for each optional property, in all combinations. A column misspelled among 12 optional ones takes 11 s,
// 204,000 scopes of the type checker; the same in a block, with 60 optional ones, takes 0.5 s and 1,000. The
// statements of a block are solved one by one, and the type that one of them results in is settled for the next. So
// the initialiser has to be a statement, too: with the initialiser as an argument before the block, or with columns
// that are collected first, the combinations are back. Nor may `buildExpression(_:)` be overloaded, one for
// initialisers and one for columns, nor the schema's initialiser lack the label `table:`, or the compiler reports no
// misspelled property. `CompileTests` shows the compiler's messages, and counts its scopes.

/// A builder of schemas, which joins the parameters of an initialiser and the columns for them.
///
/// Each column takes the first parameter that has none yet, so that the compiler finds the first column that does not fit,
/// and shows its line.
@resultBuilder
public enum SchemaBuilder<Element: Storable> {
  /// Returns a part, whose model type is the schema's.
  @inlinable
  public static func buildExpression<Part: SchemaPart>(_ part: Part) -> Part where Part.Root == Element { part }

  /// Begins with all parameters.
  ///
  /// This function reads rows over a parameter pack; those in `RowReaders.swift` read them faster.
  @_disfavoredOverload
  @inlinable
  public static func buildPartialBlock<each Property>(
    first: Parameters<Element, repeat each Property>
  ) -> MissingColumns<Element, repeat each Property> {
    MissingColumns { [make = first.make] table, columns in
      Schema(table, columns: repeat each columns, coding: RowCoding(inOrder: repeat each columns, make: make))
    }
  }

  /// Gives the first parameter its column.
  @inlinable
  public static func buildPartialBlock<First, each Property>(
    accumulated: MissingColumns<Element, First, repeat each Property>, next: Column<Element, First>
  ) -> MissingColumns<Element, repeat each Property> {
    MissingColumns { table, rest in accumulated.schema(table, (next, repeat each rest)) }
  }

  /// Ends with no parameter left.
  @inlinable
  public static func buildFinalResult(_ parameters: MissingColumns<Element>) -> MissingColumns<Element> { parameters }

  /// Not available: no parameter is left for the column. It is declared only for the compiler's message.
  @available(
    *, unavailable,
    message: """
      the schema has more columns than the initialiser has parameters; if the type has several initialisers, such as \
      `init()` where every property has a default value, name the labels: `Pokemon.init(id:name:)`
      """
  )
  public static func buildPartialBlock<Property>(
    accumulated: MissingColumns<Element>, next: Column<Element, Property>
  ) -> MissingColumns<Element> { preconditionFailure("unavailable declarations are never called") }

  /// Not available: parameters are left without a column. It is declared only for the compiler's message.
  @available(*, unavailable, message: "columns are missing: the last parameters of the initialiser have no columns")
  public static func buildFinalResult<First, each Property>(
    _ parameters: MissingColumns<Element, First, repeat each Property>
  ) -> MissingColumns<Element> { preconditionFailure("unavailable declarations are never called") }
}

/// A statement of the block that makes a schema: ``Parameters`` or a ``Column``.
public protocol SchemaPart<Root> {
  /// The model type.
  associatedtype Root
}

extension Column: SchemaPart {}

/// The parameters of the initialiser that makes an element, with which the block of a schema begins.
public struct Parameters<Root: Storable, each Property>: SchemaPart {
  @usableFromInline let make: @Sendable (repeat each Property) throws -> Root

  /// Takes the parameters of an initialiser.
  ///
  /// If the type has several initialisers, name the labels: `Pokemon.init(id:name:)`.
  ///
  /// - Parameter make: the initialiser, such as `Pokemon.init`, or a closure that makes an element.
  @inlinable
  public init(of make: @escaping @Sendable (repeat each Property) throws -> Root) where repeat each Property: Sendable {
    // A `Decoder` is not Sendable, so that the initialiser of a `Decodable` type is not taken for one of columns.
    self.make = make
  }

  /// Returns the parameters, which have no columns yet.
  ///
  /// - Parameter direct: the conversion from a row to an element if each column is stored by its type's own conversion.
  @inlinable
  func reading(_ direct: @escaping @Sendable (any Row) throws -> Root) -> MissingColumns<Root, repeat each Property> {
    MissingColumns { [make] table, columns in Schema(table, make, repeat each columns, direct: direct) }
  }
}

/// The parameters of an initialiser that have no column yet.
@_documentation(visibility: internal)
public struct MissingColumns<Root: Storable, each Property> {
  /// Makes the schema of a table from the columns of these parameters.
  @usableFromInline let schema: (_ table: String, _ columns: (repeat Column<Root, each Property>)) -> Schema<Root>

  @inlinable
  init(_ schema: @escaping (String, (repeat Column<Root, each Property>)) -> Schema<Root>) {
    self.schema = schema
  }
}

extension Schema {
  /// Makes the schema of a table in a block: the parameters of an initialiser, and a column for each, in order.
  ///
  /// ```swift
  /// static let schema = Schema<City>(table: "city") {
  ///   Parameters(of: City.init)
  ///   Column("id", \.id)
  ///   Column("name", \.name, .unique)
  /// }
  /// ```
  ///
  /// The model type has to be written out where calls follow the block, such as ``unique(_:)``.
  ///
  /// The compiler shows the line of the first column that does not fit. Two columns of one type in the wrong order still
  /// compile; that is detected on first use, by an error that names both.
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - parts: the parameters and the columns.
  @inlinable
  public init(table: String, @SchemaBuilder<Element> _ parts: () -> MissingColumns<Element>) {
    self = parts().schema(table, ())
  }
}
