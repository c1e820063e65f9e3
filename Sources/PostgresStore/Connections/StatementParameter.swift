import Query

/// A value of a statement that is not yet encoded for its parameter's type.
enum StatementParameter {
  case value(Value)
  case list([Value], ValueType)
  case borrowed(UnsafeBufferPointer<UInt8>)

  /// The type of the value itself, for a parameter whose inferred type can't hold the value.
  var type: TypeID {
    switch self {
    case .value(.null): .inferred
    case .value(.integer): .int8
    case .value(.real): .float8
    case .value(.text), .borrowed: .text
    case .value(.blob): .bytea
    case .list(_, let type): .array(of: TypeID(of: type))
    }
  }

  func write(to buffer: inout ParameterBuffer, as type: TypeID) -> Bool {
    switch self {
    case .value(let value): buffer.append(value, as: type)
    case .list(let list, _): buffer.append(list, as: type)
    case .borrowed(let text): buffer.append(borrowed: text, as: type)
    }
  }
}

extension TypeID {
  fileprivate init(of type: ValueType) {
    switch type {
    case .integer: self = .int8
    case .real: self = .float8
    case .text, .any: self = .text
    case .blob: self = .bytea
    }
  }
}
