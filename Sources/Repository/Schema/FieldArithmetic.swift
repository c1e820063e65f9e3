public import Query

/// An operand of an operation on numbers: a field of numbers, or a number.
@_documentation(visibility: internal)
public protocol FieldOperand<Sum>: Sendable {
  /// The type of a sum: `Int` for integers of any width, `Double` for reals.
  associatedtype Sum: ValueConvertible

  /// The operand's expression in a query.
  var fieldExpression: AnyExpression { get }
}

extension NumberProperty {
  /// The number as a constant expression.
  public var fieldExpression: AnyExpression { .value(self) }
}

extension Field: FieldOperand where Property: NumberProperty {
  /// The type of a sum of the property.
  public typealias Sum = Property.Sum

  /// The field's expression in a query.
  public var fieldExpression: AnyExpression { expression }
}

// Two integers yield an integer; if one is a real, both are converted. An operation without a result is nil: a sum that
// overflows, a quotient by zero. The compiler considers each of these operators in every expression of a program, so there are
// few, and only one of them fits.
extension Field where Property: NumberProperty, Property.Sum == Int {
  /// Returns the sum: `$0.attack + $0.defense > 100`.
  public static func + <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression + other.fieldExpression)
  }

  /// Returns the sum with a number on the left.
  public static func + <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression + field.expression)
  }

  /// Returns the difference.
  public static func - <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression - other.fieldExpression)
  }

  /// Returns the difference with a number on the left.
  public static func - <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression - field.expression)
  }

  /// Returns the product.
  public static func * <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression * other.fieldExpression)
  }

  /// Returns the product with a number on the left.
  public static func * <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression * field.expression)
  }

  /// Returns the quotient; for integers truncated towards zero, as in Swift.
  public static func / <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression / other.fieldExpression)
  }

  /// Returns the quotient with a number on the left.
  public static func / <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression / field.expression)
  }
}

extension Field where Property: NumberProperty, Property.Sum == Double {
  /// Returns the sum, a real.
  public static func + (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression + other.fieldExpression)
  }

  /// Returns the sum with a number on the left.
  public static func + (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression + field.expression)
  }

  /// Returns the difference, a real.
  public static func - (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression - other.fieldExpression)
  }

  /// Returns the difference with a number on the left.
  public static func - (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression - field.expression)
  }

  /// Returns the product, a real.
  public static func * (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression * other.fieldExpression)
  }

  /// Returns the product with a number on the left.
  public static func * (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression * field.expression)
  }

  /// Returns the quotient, a real.
  public static func / (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression / other.fieldExpression)
  }

  /// Returns the quotient with a number on the left.
  public static func / (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression / field.expression)
  }
}

extension Field where Property: NumberProperty {
  /// Returns the number with the opposite sign.
  public static prefix func - (field: Field) -> Field<Property.Sum?> { Field<Property.Sum?>(-field.expression) }
}

extension Field where Property: NumberProperty, Property.Sum == Int {
  /// Returns the remainder of integers, with the sign of the dividend.
  public static func % <Other: FieldOperand>(field: Field, other: Other) -> Field<Int?> where Other.Sum == Int {
    Field<Int?>(field.expression % other.fieldExpression)
  }
}

// Operators on texts. The names are those of the text form.
extension Field where Property: TextProperty {
  /// Returns the concatenation; `nil` if either text is `nil`.
  public static func + (field: Field, other: Field<some TextProperty>) -> Field<String?> {
    Field<String?>(.concatenation(field.expression, other.expression))
  }

  /// Returns the field's text followed by another.
  public static func + (field: Field, text: String) -> Field<String?> {
    Field<String?>(.concatenation(field.expression, .value(text)))
  }

  /// Returns another text followed by the field's.
  public static func + (text: String, field: Field) -> Field<String?> {
    Field<String?>(.concatenation(.value(text), field.expression))
  }
}

// Operators for updates: `set: { $0.attack += 1 }`. They exist only for the types that can hold every number of a store, so
// that no update makes an element unreadable. They are not generic, since the compiler prefers Swift's own operators on plain
// numbers to generic ones.

/// Adds a number to a property.
public func += (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds another property to a property.
public func += (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds a number to a property.
public func += (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds another property to a property.
public func += (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Subtracts a number from a property.
public func -= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts another property from a property.
public func -= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts a number from a property.
public func -= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts another property from a property.
public func -= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Multiplies a property by a number.
public func *= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property by another property.
public func *= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property by a number.
public func *= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property by another property.
public func *= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Divides a property by a number.
public func /= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property by another property.
public func /= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property by a number.
public func /= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property by another property.
public func /= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Adds a number to an optional property; `nil` remains.
public func += (field: inout Field<Int?>, operand: Int) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds a number to an optional property; `nil` remains.
public func += (field: inout Field<Double?>, operand: Double) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Subtracts a number from an optional property; `nil` remains.
public func -= (field: inout Field<Int?>, operand: Int) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts a number from an optional property; `nil` remains.
public func -= (field: inout Field<Double?>, operand: Double) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Multiplies an optional property by a number; `nil` remains.
public func *= (field: inout Field<Int?>, operand: Int) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies an optional property by a number; `nil` remains.
public func *= (field: inout Field<Double?>, operand: Double) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Divides an optional property by a number; `nil` remains.
public func /= (field: inout Field<Int?>, operand: Int) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides an optional property by a number; `nil` remains.
public func /= (field: inout Field<Double?>, operand: Double) {
  field = Field(field.expression / operand.fieldExpression)
}
