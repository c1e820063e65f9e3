#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Query

/// A property of a model type and the column that stores it.
public struct Column<Root, Property>: Sendable {
  // All of the type is inlinable: the conversion of rows is compiled for its model type where the model is declared. Without
  // that, reading a row of ten columns took 4.5 µs, most of it spent on looking up the metadata of generic types.
  @usableFromInline let schema: ColumnSchema
  @usableFromInline let isPrimaryKey: Bool
  @usableFromInline let timestamp: Timestamp?
  /// The reason why no schema can have the column, if there is one.
  @usableFromInline let problem: String?
  @usableFromInline let keyPath: any KeyPath<Root, Property> & Sendable
  /// Whether the property is stored by its type's own conversion.
  @usableFromInline let isPlain: Bool
  /// Reads a property from its position in a row.
  @usableFromInline let read: @Sendable (any Row, Int) throws(ValueError) -> Property
  /// Makes the value of a property.
  @usableFromInline let write: @Sendable (Property) throws(ValueError) -> Value
  /// Makes the value of an element's property.
  @usableFromInline let value: @Sendable (UnsafePointer<Root>) throws(ValueError) -> Value

  // This is the only initialiser without a label: to diagnose an error in a schema, the compiler tries all of them for each
  // column. With a second one, which explained `json:`, a misspelled property among twelve took a minute, and had no
  // message.

  /// Makes a column that stores a property as a value of its type.
  ///
  /// The type conforms to ``/Query/ValueConvertible``, as numbers, texts, dates and `[UInt8]` do. The compiler refuses any
  /// other type, and explains for an array of texts that `String` and `UInt8` are not equivalent; write `json:` before the key
  /// path of such a property.
  ///
  /// - Parameters:
  ///   - name: the column's name, which is the key in queries.
  ///   - keyPath: the property.
  ///   - constraints: the constraints of the column beyond its type.
  @inlinable
  public init(
    _ name: String, _ keyPath: any KeyPath<Root, Property> & Sendable, _ constraints: ColumnConstraint...
  ) where Property: ValueConvertible {
    self.init(
      name, keyPath, constraints, type: Property.valueType, isNullable: Property.isNullable,
      format: Property.valueFormat, isPlain: true,
      read: { row, position throws(ValueError) in try Property(from: row, at: position) },
      write: { property throws(ValueError) in try property.makeValue() })
  }

  /// Makes a text column that stores a property as JSON.
  ///
  /// `nil` is null, and the column of an optional property is nullable.
  ///
  /// Equal properties make equal texts: the keys of objects are sorted, and so are the items of a property that is a `Set` or a
  /// dictionary. A `Set` within another type, such as a property of a struct, has another order in each run of the program:
  /// store a sorted array there if a query compares the text, or if a live result must not report equal values as a change.
  ///
  /// - Parameters:
  ///   - name: the column's name, which is the key in queries.
  ///   - keyPath: the property.
  ///   - constraints: the constraints of the column beyond its type.
  public init(
    _ name: String, json keyPath: any KeyPath<Root, Property> & Sendable, _ constraints: ColumnConstraint...
  ) where Property: Codable & SendableMetatype {
    let isNullable = Property.self is any OptionalProperty.Type
    self.init(
      name, keyPath, constraints, type: .text, isNullable: isNullable, isJSON: true, isPlain: false,
      read: { row, position throws(ValueError) in
        let json: String
        switch try row.value(at: position) {
        case .text(let text): json = text
        case .null where isNullable: json = "null"
        case let value: throw .mismatch(expected: "JSON text", found: value)
        }
        do {
          return try JSONDecoder().decode(Property.self, from: Data(json.utf8))
        } catch {
          throw .undecodable(error, as: Property.self)
        }
      },
      write: { property throws(ValueError) in
        do {
          let json = try PropertyJSON.text(of: property)
          return isNullable && json == "null" ? .null : .text(json)
        } catch {
          throw ValueError("can't write \(Property.self) as JSON")
        }
      })
  }

  @inlinable
  init(
    _ name: String, _ keyPath: any KeyPath<Root, Property> & Sendable, _ constraints: [ColumnConstraint],
    type: ValueType, isNullable: Bool, format: ValueFormat? = nil, isJSON: Bool = false,
    isPlain: Bool,
    read: @escaping @Sendable (any Row, Int) throws(ValueError) -> Property,
    write: @escaping @Sendable (Property) throws(ValueError) -> Value
  ) {
    let timestamp = constraints.compactMap(\.timestamp).first
    self.timestamp = timestamp
    // A generated key, and the time of insertion, are nil until the insertion, and never null in the store.
    let isGenerated = constraints.contains(.generated)
    let isRequired = isGenerated || timestamp?.isRequired == true
    schema = ColumnSchema(
      name, type, isNullable: isNullable && !isRequired, isUnique: constraints.contains(.unique),
      isIndexed: constraints.contains(.indexed), isGenerated: isGenerated,
      defaultValue: constraints.compactMap(\.defaultValue).last, format: format
    ).holdingJSON(isJSON)
    problem =
      timestamp?.problem(with: schema, ofOptional: isNullable)
      ?? (isGenerated && !isNullable
        ? "\(name) is generated, and its property is not optional: declare an `Int?`, `nil` until the insert" : nil)
      ?? constraints.compactMap(\.problem).first.map { "the default of \(name): \($0)" }
    isPrimaryKey = constraints.contains(.primaryKey)
    self.keyPath = keyPath
    self.isPlain = isPlain
    self.read = read
    var write = write
    if let timestamp {
      write = { [write] property throws(ValueError) in try timestamp.value(for: try write(property)) }
    }
    self.write = write
    // A stored property is read in place, without going through the key path.
    // https://developer.apple.com/documentation/swift/memorylayout/offset(of:)
    if let offset = MemoryLayout<Root>.offset(of: keyPath) {
      value = { [write] element throws(ValueError) in
        try write((UnsafeRawPointer(element) + offset).assumingMemoryBound(to: Property.self).pointee)
      }
    } else {
      value = { [write] element throws(ValueError) in try write(element.pointee[keyPath: keyPath]) }
    }
  }
}

/// An optional property of any type.
private protocol OptionalProperty {}

extension Optional: OptionalProperty {}

extension ValueError {
  /// Returns the error for a JSON text that can't be decoded, with the place in it. The messages of decoders may contain values.
  fileprivate static func undecodable(_ error: any Error, as type: Any.Type) -> ValueError {
    let (context, problem): (DecodingError.Context?, String?) =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context): (context, "the key \(key.stringValue) is missing")
      case .valueNotFound(let expected, let context): (context, "found null instead of \(expected)")
      case .typeMismatch(let expected, let context): (context, "the value is not \(expected)")
      case .dataCorrupted(let context): (context, context.codingPath.isEmpty ? "the text is not JSON" : nil)
      default: (nil, nil)
      }
    let path = (context?.codingPath ?? []).map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    let place = path.isEmpty ? "" : " at $\(path)"
    return ValueError(
      "the stored text is not JSON of \(type)\(place)\(problem.map { ": \($0)" } ?? "")",
      suggestion: "correct the row, or let \(type) decode the format of older versions of the program")
  }
}
