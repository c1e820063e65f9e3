#if canImport(ObjectiveC)
  import Foundation

  extension Value {
    /// The value of an object's property, null where that is no number, text or data. Numbers are compared by value, so a
    /// whole one may be read as an integer.
    init(keyPath: String, of object: Any?) {
      let property = (object as? NSObject)?.value(forKeyPath: keyPath)
      switch property {
      case let number as NSNumber:
        self = Int64(exactly: number).map(Value.integer) ?? .real(number.doubleValue)
      case let text as String:
        self = .text(text)
      case let data as Data:
        self = .blob([UInt8](data))
      default:
        self = .null
      }
    }

    /// The object that stands for the value; `nil` for null.
    var foundationObject: Any? {
      switch self {
      case .null: nil
      case .integer(let integer): NSNumber(value: integer)
      case .real(let real): NSNumber(value: real)
      case .text(let text): NSString(string: text)
      case .blob(let bytes): NSData(data: Data(bytes))
      }
    }
  }
#endif
