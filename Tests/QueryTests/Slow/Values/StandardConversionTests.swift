import Query
import Testing

@Suite("Types of the standard library are stored and read back")
struct StandardConversionTests {
  enum PokemonType: String, ValueConvertible { case fire, water = "eau" }
  enum Generation: Int, ValueConvertible { case kanto = 1, johto = 2 }
  enum Rate: Double, ValueConvertible { case half = 0.5 }
  struct Level: RawRepresentable, ValueConvertible { let rawValue: UInt8 }

  @Test(
    "There and back",
    arguments: [
      RoundTrip(Int.min, .integer(.min)), RoundTrip(Int.max, .integer(.max)), RoundTrip(0, 0), RoundTrip(-1, -1),
      RoundTrip(Int8.min, -128), RoundTrip(Int8.max, 127),
      RoundTrip(Int16.min, -32_768), RoundTrip(Int16.max, 32_767),
      RoundTrip(Int32.min, -2_147_483_648), RoundTrip(Int32.max, 2_147_483_647),
      RoundTrip(Int64.min, .integer(.min)), RoundTrip(Int64.max, .integer(.max)),
      RoundTrip(UInt.min, 0), RoundTrip(UInt(Int64.max), .integer(.max)),
      RoundTrip(UInt8.min, 0), RoundTrip(UInt8.max, 255), RoundTrip(UInt16.max, 65_535),
      RoundTrip(UInt32.max, 4_294_967_295), RoundTrip(UInt64(Int64.max), .integer(.max)),
      RoundTrip(true, 1), RoundTrip(false, 0),
      RoundTrip(0.0, 0.0), RoundTrip(-0.0, -0.0), RoundTrip(-1.5, -1.5), RoundTrip(0.1, 0.1),
      RoundTrip(Double.infinity, .real(.infinity)),
      RoundTrip(-Double.infinity, .real(-.infinity)),
      RoundTrip(Double.greatestFiniteMagnitude, .real(.greatestFiniteMagnitude)),
      RoundTrip(Double.leastNonzeroMagnitude, .real(.leastNonzeroMagnitude)),
      RoundTrip(Float(1.5), 1.5), RoundTrip(Float(0.1), .real(Double(Float(0.1)))),
      RoundTrip(Float.infinity, .real(.infinity)), RoundTrip(-Float.infinity, .real(-.infinity)),
      RoundTrip(Float.greatestFiniteMagnitude, .real(0x1.fffffep127)),
      RoundTrip(Float.leastNonzeroMagnitude, .real(0x1p-149)),
      RoundTrip("", ""), RoundTrip("Pikachu", "Pikachu"), RoundTrip("a\0b", "a\0b"),
      RoundTrip("\u{E9}", "\u{E9}"), RoundTrip("e\u{301}", "e\u{301}"), RoundTrip("\u{1F525}", "\u{1F525}"),
      RoundTrip("Glumanda".dropFirst(4), "anda"), RoundTrip(Substring(""), ""),
      RoundTrip(Character("x"), "x"), RoundTrip(Character("e\u{301}"), "e\u{301}"), RoundTrip(Character("\0"), "\0"),
      RoundTrip(Character("👨‍👩‍👧"), "👨‍👩‍👧"), RoundTrip(Character("🇩🇪"), "🇩🇪"), RoundTrip(Character("\r\n"), "\r\n"),
      RoundTrip([UInt8](), .blob([])), RoundTrip([UInt8]([0, 255]), .blob([0, 255])),
      RoundTrip(PokemonType.fire, "fire"), RoundTrip(PokemonType.water, "eau"), RoundTrip(Generation.johto, 2),
      RoundTrip(Rate.half, 0.5), RoundTrip(Level(rawValue: 100), 100),
      RoundTrip(Int?.none, .null), RoundTrip(Int?.some(7), 7), RoundTrip(String?.some(""), ""),
      RoundTrip(String?.none, .null), RoundTrip([UInt8]?.none, .null), RoundTrip(PokemonType?.some(.fire), "fire"),
      RoundTrip(PokemonType?.none, .null), RoundTrip(Int??.some(.some(7)), 7), RoundTrip(Int??.none, .null),
      RoundTrip(Value.null, .null), RoundTrip(Value.integer(1), 1), RoundTrip(Value.text("x"), "x"),
      RoundTrip(Value.real(.infinity), .real(.infinity)), RoundTrip(Value.blob([1]), .blob([1])),
    ])
  func roundTrips(roundTrip: RoundTrip) throws {
    try roundTrip.check()
  }

  @Test(
    "Number types read each other's values where nothing is lost",
    arguments: [
      Reading(3.0, as: 3), Reading(-0.0, as: 0), Reading(.real(-0x1p63), as: Int.min), Reading(255.0, as: UInt8.max),
      Reading(1.0, as: true), Reading(0.0, as: false), Reading(3, as: 3.0), Reading(3, as: Float(3)),
      Reading(9_007_199_254_740_992, as: 0x1p53), Reading(.integer(.min), as: -0x1p63),
      Reading(16_777_216, as: Float(0x1p24)),
      // A real that a Float rounds: what was stored by a Double is near enough to the nearest Float.
      Reading(0.1, as: Float(0.1)), Reading(1e-50, as: Float(0)), Reading(2.0, as: Generation.johto),
      Reading(1, as: Int?.some(1)), Reading(.null, as: Double?.none), Reading(5.0, as: Value.real(5)),
    ])
  func readings(reading: Reading) throws {
    try reading.check()
  }

  @Test(
    "What does not fit is refused, never wrapped, cut or guessed",
    arguments: [
      Refusal(128, as: Int8.self, "does not fit Int8"), Refusal(-129, as: Int8.self, "does not fit Int8"),
      Refusal(32_768, as: Int16.self, "does not fit Int16"),
      Refusal(2_147_483_648, as: Int32.self, "does not fit Int32"),
      Refusal(-1, as: UInt.self, "does not fit UInt"), Refusal(256, as: UInt8.self, "does not fit UInt8"),
      Refusal(65_536, as: UInt16.self, "does not fit UInt16"),
      Refusal(4_294_967_296, as: UInt32.self, "does not fit UInt32"),
      Refusal(-1, as: UInt64.self, "does not fit UInt64"),
      Refusal(1.5, as: Int.self, "does not fit Int"), Refusal(.real(0x1p63), as: Int.self, "does not fit Int"),
      Refusal(.real(.infinity), as: Int.self, "does not fit Int"),
      Refusal(.real(.nan), as: Int.self, "does not fit Int"),
      Refusal(2, as: Bool.self, "expected 0 or 1"), Refusal(-1, as: Bool.self, "expected 0 or 1"),
      Refusal(0.5, as: Bool.self, "does not fit"),
      Refusal(1e39, as: Float.self, "does not fit Float"), Refusal(-1e39, as: Float.self, "does not fit Float"),
      Refusal(9_007_199_254_740_993, as: Double.self, "without rounding"),
      Refusal(.integer(.max), as: Double.self, "without rounding"),
      Refusal(16_777_217, as: Float.self, "without rounding"),
      Refusal("ab", as: Character.self, "one character"), Refusal("", as: Character.self, "one character"),
      Refusal("steel", as: PokemonType.self, "does not fit PokemonType"),
      Refusal(3, as: Generation.self, "does not fit Generation"),
      Refusal(256, as: Level.self, "does not fit UInt8"),
    ])
  func refusals(refusal: Refusal) {
    refusal.check()
  }

  @Test(
    "A null is refused by whatever is not optional, and the error says so",
    arguments: [
      Refusal(.null, as: Int.self, "make the property optional"), Refusal(.null, as: UInt8.self, "found null"),
      Refusal(.null, as: Bool.self, "found null"), Refusal(.null, as: Double.self, "found null"),
      Refusal(.null, as: Float.self, "found null"), Refusal(.null, as: String.self, "found null"),
      Refusal(.null, as: Substring.self, "found null"), Refusal(.null, as: Character.self, "found null"),
      Refusal(.null, as: [UInt8].self, "found null"), Refusal(.null, as: PokemonType.self, "found null"),
    ])
  func nulls(refusal: Refusal) {
    refusal.check()
  }

  @Test(
    "A value of another kind is refused",
    arguments: [
      Refusal("1", as: Int.self, "expected an integer, found text"),
      Refusal(.blob([1]), as: Int.self, "expected an integer, found a blob"),
      Refusal("true", as: Bool.self, "found text"),
      Refusal("1.5", as: Double.self, "expected a number, found text"),
      Refusal(.blob([]), as: Float.self, "expected a number, found a blob"),
      Refusal(1, as: String.self, "expected text, found an integer"),
      Refusal(1.5, as: String.self, "expected text, found a real"),
      Refusal(.blob([0x61]), as: String.self, "expected text, found a blob"),
      Refusal(1, as: Substring.self, "found an integer"), Refusal(1, as: Character.self, "found an integer"),
      Refusal("a", as: [UInt8].self, "expected a blob, found text"), Refusal(0, as: [UInt8].self, "found an integer"),
      Refusal(1, as: PokemonType.self, "expected text"), Refusal("kanto", as: Generation.self, "expected an integer"),
      Refusal("1", as: Int?.self, "found text"),
    ])
  func otherKinds(refusal: Refusal) {
    refusal.check()
  }

  @Test(
    "What no store can hold makes no value",
    arguments: [
      Unstorable(UInt.max, "can't store an unsigned integer"),
      Unstorable(UInt64.max, "can't store an unsigned integer"),
      Unstorable(UInt(Int64.max) + 1, "store the number as text"), Unstorable(UInt64?.some(.max), "can't store"),
      Unstorable(Double.nan, "NaN"), Unstorable(-Double.nan, "NaN"), Unstorable(Double.signalingNaN, "NaN"),
      Unstorable(Float.nan, "NaN"), Unstorable(Double?.some(.nan), "NaN"), Unstorable(Value.real(.nan), "NaN"),
    ])
  func unstorable(unstorable: Unstorable) {
    unstorable.check()
  }

  @Test("Only optionals, and values of any kind, make columns that may be null")
  func nullability() {
    #expect(!Int.isNullable && !String.isNullable && !PokemonType.isNullable && ![UInt8].isNullable)
    #expect(Int?.isNullable && PokemonType?.isNullable && Value.isNullable)
  }

  @Test("A type names the type of its column")
  func columnTypes() {
    #expect(Int.valueType == .integer && UInt8.valueType == .integer && Bool.valueType == .integer)
    #expect(Double.valueType == .real && Float.valueType == .real && Rate.valueType == .real)
    #expect(String.valueType == .text && Substring.valueType == .text && Character.valueType == .text)
    #expect(PokemonType.valueType == .text && Generation.valueType == .integer && Level.valueType == .integer)
    #expect([UInt8].valueType == .blob && Value.valueType == .any)
    #expect(Int?.valueType == .integer && PokemonType?.valueType == .text)
  }

  @Test("An error never holds the value that it is about")
  func errorsHoldNoValue() {
    let secret = "s3cr3t"
    for error in [
      #expect(throws: ValueError.self) { try Int(value: .text(secret)) },
      #expect(throws: ValueError.self) { try PokemonType(value: .text(secret)) },
      #expect(throws: ValueError.self) { try Character(value: .text(secret)) },
    ] {
      #expect(error?.description.contains(secret) == false)
    }
  }
}

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
