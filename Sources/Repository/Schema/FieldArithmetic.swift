public import Query

/// What stands on either side of an operation on numbers: a field of numbers, or a number.
public protocol FieldOperand<Sum>: Sendable {
  /// The type of a sum: `Int` for integers of any width, `Double` for reals.
  associatedtype Sum: ValueConvertible

  /// What the operand is in a query.
  var fieldExpression: AnyExpression { get }
}

extension NumberProperty {
  /// The number, which is the same for every row.
  public var fieldExpression: AnyExpression { .value(self) }
}

extension Field: FieldOperand where Property: NumberProperty {
  /// The type of a sum of the property.
  public typealias Sum = Property.Sum

  /// What the field is in a query.
  public var fieldExpression: AnyExpression { expression }
}

// Two integers make an integer; as soon as one is a real, both are. An operation that has no result is nil: a sum that no Int
// holds, a quotient by zero. The compiler looks at each of these operators in every expression of a program, so there are few, of
// which one alone fits.
extension Field where Property: NumberProperty, Property.Sum == Int {
  /// The sum: `$0.attack + $0.defense > 100`.
  public static func + <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression + other.fieldExpression)
  }

  /// The sum with a number on the left.
  public static func + <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression + field.expression)
  }

  /// The difference.
  public static func - <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression - other.fieldExpression)
  }

  /// The difference with a number on the left.
  public static func - <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression - field.expression)
  }

  /// The product.
  public static func * <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression * other.fieldExpression)
  }

  /// The product with a number on the left.
  public static func * <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression * field.expression)
  }

  /// The quotient; of integers cut towards zero, as in Swift.
  public static func / <Other: FieldOperand>(field: Field, other: Other) -> Field<Other.Sum?> {
    Field<Other.Sum?>(field.expression / other.fieldExpression)
  }

  /// The quotient with a number on the left.
  public static func / <Number: NumberProperty>(number: Number, field: Field) -> Field<Number.Sum?> {
    Field<Number.Sum?>(number.fieldExpression / field.expression)
  }
}

extension Field where Property: NumberProperty, Property.Sum == Double {
  /// The sum, a real.
  public static func + (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression + other.fieldExpression)
  }

  /// The sum with a number on the left.
  public static func + (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression + field.expression)
  }

  /// The difference, a real.
  public static func - (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression - other.fieldExpression)
  }

  /// The difference with a number on the left.
  public static func - (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression - field.expression)
  }

  /// The product, a real.
  public static func * (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression * other.fieldExpression)
  }

  /// The product with a number on the left.
  public static func * (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression * field.expression)
  }

  /// The quotient, a real.
  public static func / (field: Field, other: some FieldOperand) -> Field<Double?> {
    Field<Double?>(field.expression / other.fieldExpression)
  }

  /// The quotient with a number on the left.
  public static func / (number: some NumberProperty, field: Field) -> Field<Double?> {
    Field<Double?>(number.fieldExpression / field.expression)
  }
}

extension Field where Property: NumberProperty {
  /// The number with the other sign.
  public static prefix func - (field: Field) -> Field<Property.Sum?> { Field<Property.Sum?>(-field.expression) }
}

extension Field where Property: NumberProperty, Property.Sum == Int {
  /// The remainder of integers, with the sign of what is divided.
  public static func % <Other: FieldOperand>(field: Field, other: Other) -> Field<Int?> where Other.Sum == Int {
    Field<Int?>(field.expression % other.fieldExpression)
  }
}

// Of texts. The names are those of the text form.
extension Field where Property: TextProperty {
  /// The texts one behind the other; `nil` where one is.
  public static func + (field: Field, other: Field<some TextProperty>) -> Field<String?> {
    Field<String?>(.concatenation(field.expression, other.expression))
  }

  /// The text with another behind it.
  public static func + (field: Field, text: String) -> Field<String?> {
    Field<String?>(.concatenation(field.expression, .value(text)))
  }

  /// The text with another before it.
  public static func + (text: String, field: Field) -> Field<String?> {
    Field<String?>(.concatenation(.value(text), field.expression))
  }
}

// In an update: `set: { $0.attack += 1 }`. Of the types alone that hold every number that a store holds, so that no update leaves an
// element behind that can't be read; and not generic, since the compiler prefers Swift's own operators on plain numbers to
// generic ones.

/// Adds to a property.
public func += (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds to a property.
public func += (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds to a property.
public func += (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Adds to a property.
public func += (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression + operand.fieldExpression)
}

/// Subtracts from a property.
public func -= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts from a property.
public func -= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts from a property.
public func -= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Subtracts from a property.
public func -= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression - operand.fieldExpression)
}

/// Multiplies a property.
public func *= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property.
public func *= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property.
public func *= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Multiplies a property.
public func *= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression * operand.fieldExpression)
}

/// Divides a property.
public func /= (field: inout Field<Int>, operand: Int) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property.
public func /= (field: inout Field<Int>, operand: Field<Int>) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property.
public func /= (field: inout Field<Double>, operand: Double) {
  field = Field(field.expression / operand.fieldExpression)
}

/// Divides a property.
public func /= (field: inout Field<Double>, operand: Field<Double>) {
  field = Field(field.expression / operand.fieldExpression)
}
