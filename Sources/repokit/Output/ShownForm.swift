import Query

/// The form in which the values of a database's own type are shown: as the database shows them.
enum ShownForm: Hashable {
  /// `true` and `false`.
  case boolean
  /// Decimal numbers with as many digits behind the point as the type has; `nil` for any number.
  case decimal(scale: Int?)
  /// Reals of four bytes with the digits that identify them.
  case single
  /// `2005-05-24 22:53:30`, with `+00` where the type has a time zone.
  case timestamp(hasZone: Bool)

  /// The form of a column's values; `nil` where they are shown as they are.
  init?(_ column: ColumnSchema) {
    switch column.nativeType {
    case .boolean: self = .boolean
    case .decimal(_, let scale) where scale > 0: self = .decimal(scale: scale)
    case .numeric(let precision, let scale): self = .decimal(scale: precision == nil ? nil : max(scale, 0))
    case .timestamp(let hasZone, _): self = .timestamp(hasZone: hasZone)
    default:
      guard column.holdsSingles else { return nil }
      self = .single
    }
  }

  /// Whether JSON writes the shown texts without quotes: numbers, `true` and `false`.
  var isLiteral: Bool {
    switch self {
    case .boolean, .decimal: true
    case .single, .timestamp: false
    }
  }

  /// Whether the shown texts are numbers.
  var isNumber: Bool { if case .decimal = self { true } else { false } }

  /// Returns a value as it is shown; a value that is not of the type stays what it is.
  func shown(_ value: Value) -> Value {
    switch (self, value) {
    case (.boolean, .integer(let number)): return .text(number == 0 ? "false" : "true")
    case (.decimal(let scale), .integer), (.decimal(let scale), .real), (.decimal(let scale), .text):
      return Self.decimal(value, scale ?? 0).map(Value.text) ?? value
    case (.single, .real(let real)) where real.isFinite: return .real(Double(Float(real).description) ?? real)
    case (.timestamp(let hasZone), .text(let text)):
      return TimestampText.shown(text, hasZone: hasZone).map(Value.text) ?? value
    default: return value
    }
  }

  private static func decimal(_ value: Value, _ scale: Int) -> String? {
    let canonical: String? = if case .text(let text) = value { text } else { value.decimalText }
    return canonical.flatMap { DecimalText.plain($0, scale: scale) }
  }
}

extension ColumnHeading {
  /// Returns a value of the column as it is shown.
  func shown(_ value: Value) -> Value { form?.shown(value) ?? value }
}

/// A format in which values of a database's own types are shown in their form.
struct ShownFormat: OutputFormat {
  private var format: any OutputFormat
  private let forms: [ShownForm?]

  /// - Parameter isSQL: whether the format writes statements, whose literals are of the database's types already.
  init(_ format: any OutputFormat, _ columns: [ColumnHeading], isSQL: Bool) {
    self.format = format
    forms = columns.map { column in column.isBoolean && isSQL ? nil : column.form }
  }

  mutating func begin(_ output: inout OutputBuffer) { format.begin(&output) }

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    format.append(zip(row, forms).map { value, form in form?.shown(value) ?? value }, to: &output)
  }

  mutating func end(_ output: inout OutputBuffer) throws(OutputError) { try format.end(&output) }

  var note: String? { format.note }
}
