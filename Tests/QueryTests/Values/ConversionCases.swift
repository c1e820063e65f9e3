import Query
import Testing

/// A Swift value and the stored value that it makes, checked there and back.
struct RoundTrip: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable () throws -> Void

  init<Native: ValueConvertible>(_ native: Native, _ value: Value) {
    testDescription = "\(Native.self) \(native)"
    check = { () throws in
      #expect(try native.makeValue().spelling == value.spelling)
      #expect(try Native(value: value) == native)
      #expect(try native.keyValues().map(\.spelling) == [value.spelling])
      #expect(value.isNull ? Native.isNullable : Native.valueType.kinds.contains(value.kind))
    }
  }
}

/// A stored value that a Swift type reads although it would have made another one.
struct Reading: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable () throws -> Void

  init<Native: ValueConvertible>(_ value: Value, as native: Native) {
    testDescription = "\(value.spelling) as \(Native.self)"
    check = { () throws in #expect(try Native(value: value) == native) }
  }
}

/// A stored value that a Swift type refuses to read, and what the error says.
struct Refusal: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable () -> Void

  init<Native: ValueConvertible>(_ value: Value, as type: Native.Type, _ message: String) {
    testDescription = "\(value.spelling) as \(Native.self)"
    check = {
      let error = #expect(throws: ValueError.self) { try Native(value: value) }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
  }
}

/// A Swift value that can't be stored, and what the error says.
struct Unstorable: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable () -> Void

  init(_ native: some ValueConvertible, _ message: String) {
    testDescription = "\(type(of: native)) \(native)"
    check = {
      let error = #expect(throws: ValueError.self) { try native.makeValue() }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
      #expect(throws: ValueError.self) { try native.keyValues() }
    }
  }
}
