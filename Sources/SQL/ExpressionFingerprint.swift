import Query

extension FingerprintReader {
  /// The maximum size in bytes of the fingerprint of a request with expressions, which contains their values.
  private static let maximumByteCount = 4_096

  /// Whether the fingerprint is short enough to be kept as a key.
  var isShort: Bool { !hasExpressions || fingerprint.byteCount <= Self.maximumByteCount }

  /// Reads an expression that is more than a key, with its values.
  ///
  /// - Returns: `false` for an expression that has to be compiled each time: resolving replaces an expression, or a part of
  ///   one, that is the same for every row by its value.
  mutating func read(_ expression: AnyExpression) -> Bool {
    hasExpressions = true
    fingerprint.append(.expression)
    // No name has this length, so that an expression has no fingerprint in common with a name.
    fingerprint.append(hash: .max)
    if case .value = expression.form { return false }
    return append(expression)
  }

  private mutating func append(_ expression: AnyExpression) -> Bool {
    switch expression.form {
    case .key(let key):
      fingerprint.append(.key)
      fingerprint.append(key)
      return true
    case .path(let steps):
      fingerprint.append(.path)
      return append(steps)
    case .value(let value):
      return appendExactly(value)
    case .function(let function, let arguments):
      fingerprint.append(.function)
      fingerprint.append(function.rawValue)
      fingerprint.append(hash: UInt64(arguments.count))
      return !function.isConstantInPart(arguments) && arguments.allSatisfy { append($0) }
    case .conditional(let query, let then, let otherwise):
      fingerprint.append(.conditional)
      if case .value(.null) = then.form, case .value(.null) = otherwise.form { return false }
      return append(query) && append(then) && append(otherwise)
    case .aggregate(let function, let expression, let rows):
      fingerprint.append(.aggregate)
      fingerprint.append(function.rawValue)
      fingerprint.append(expression == nil ? 0 : 1)
      return (expression.map { append($0) } ?? true) && append(rows)
    case .exists(let rows):
      fingerprint.append(.exists)
      return append(rows)
    case .group, .invalid:
      return false
    }
  }

  private mutating func append(_ names: [String]) -> Bool {
    fingerprint.append(hash: UInt64(names.count))
    for name in names { fingerprint.append(name) }
    return true
  }

  private mutating func append(_ rows: RelatedRows) -> Bool {
    fingerprint.append(rows.table)
    return append(rows.columns) && append(rows.query)
  }

  private mutating func append(_ query: AnyQuery) -> Bool {
    let outer = isInExpression
    isInExpression = true
    defer { isInExpression = outer }
    return read(query.form)
  }

  /// Appends the case and the content of a value.
  mutating func appendExactly(_ value: Value) -> Bool {
    guard let part = RequestFingerprint.Part(value) else { return false }
    fingerprint.append(part)
    switch value {
    case .null: break
    case .integer(let integer): fingerprint.append(hash: UInt64(bitPattern: integer))
    case .real(let real): fingerprint.append(hash: real.bitPattern)
    case .text(let text): fingerprint.append(text)
    case .blob(let bytes):
      fingerprint.append(hash: UInt64(bytes.count))
      for byte in bytes { fingerprint.append(byte) }
    }
    return isShort
  }
}

extension ExpressionFunction {
  /// Returns whether resolving may fold the function, or its first arguments, into a value.
  fileprivate func isConstantInPart(_ arguments: [AnyExpression]) -> Bool {
    let values: [Value?] = arguments.map { if case .value(let value) = $0.form { value } else { nil } }
    return values.allSatisfy { $0 != nil } || isOperator && values.prefix(2).allSatisfy { $0 != nil }
      || values.contains { $0?.isNull == true || $0 == .integer(0) && (self == .divide || self == .remainder) }
  }
}
