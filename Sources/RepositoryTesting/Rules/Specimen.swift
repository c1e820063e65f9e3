#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository

/// The suite's main model: a thing in a museum, with a property of every type in the contract.
public struct Specimen: ConformanceModel, Hashable, Codable {
  /// The key: an integer.
  public let id: Int
  /// An optional integer.
  public var age: Int?
  /// A real.
  public var mass: Double
  /// An optional real.
  public var length: Double?
  /// A text.
  public var name: String
  /// An optional text.
  public var finder: String?
  /// A blob.
  public var sample: [UInt8]
  /// An optional blob.
  public var scan: [UInt8]?
  /// A Boolean, stored as 0 or 1.
  public var isExtinct: Bool
  /// A date, stored as a text.
  public var found: Date
  /// A UUID, stored as a text in lowercase.
  public var code: UUID
  /// A unique text.
  public var label: String
  /// An enum, stored as a text.
  public var kingdom: Kingdom
  /// A list, stored as JSON.
  public var remarks: [String]

  /// Makes a specimen.
  public init(
    id: Int, age: Int?, mass: Double, length: Double?, name: String, finder: String?, sample: [UInt8], scan: [UInt8]?,
    isExtinct: Bool, found: Date, code: UUID, label: String, kingdom: Kingdom, remarks: [String]
  ) {
    self.id = id
    self.age = age
    self.mass = mass
    self.length = length
    self.name = name
    self.finder = finder
    self.sample = sample
    self.scan = scan
    self.isExtinct = isExtinct
    self.found = found
    self.code = code
    self.label = label
    self.kingdom = kingdom
    self.remarks = remarks
  }

  /// The table `specimen`, whose columns have the names of the properties, except for `extinct`, which has no "is".
  ///
  /// Some columns have an index, because stores look up values there in other ways than by a scan.
  public static let schema = Schema(
    "specimen", Specimen.init, Column("id", \.id), Column("age", \.age, .indexed), Column("mass", \.mass, .indexed),
    Column("length", \.length), Column("name", \.name, .indexed), Column("finder", \.finder),
    Column("sample", \.sample),
    Column("scan", \.scan), Column("extinct", \.isExtinct), Column("found", \.found), Column("code", \.code),
    Column("label", \.label, .unique), Column("kingdom", \.kingdom, .indexed), Column("remarks", json: \.remarks))

  /// The rules for every repository of specimens, which cover the whole contract.
  public static var rules: [ConformanceRule<AnyRepository<Specimen>>] { RuleCatalogue.short + RuleCatalogue.large }

  /// The rules that need only a few small requests each.
  package static var shortRules: [ConformanceRule<AnyRepository<Specimen>>] { RuleCatalogue.short }
}

/// The kingdom of a ``Specimen``: an enum that is stored as its raw text.
public enum Kingdom: String, ValueConvertible, Codable, CaseIterable {
  /// An animal.
  case animal
  /// A fungus.
  case fungus
  /// A plant.
  case plant
}

extension Specimen {
  /// Makes a specimen with default values, except for its key and a unique label and code.
  init(_ id: Int) {
    let bytes = withUnsafeBytes(of: UInt64(bitPattern: Int64(id)).bigEndian) { Array($0) }
    let code = UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
      ))
    self.init(
      id: id, age: nil, mass: 0, length: nil, name: "", finder: nil, sample: [], scan: nil, isExtinct: false,
      found: Date(timeIntervalSinceReferenceDate: 0), code: code, label: "specimen \(id)", kingdom: .animal, remarks: []
    )
  }

  /// Returns the specimen with one property changed.
  func with<Property>(_ path: WritableKeyPath<Specimen, Property>, _ property: Property) -> Specimen {
    var specimen = self
    specimen[keyPath: path] = property
    return specimen
  }

  /// Specimens that differ in most properties, with nulls and ties.
  static let varied = [
    Specimen(1).with(\.age, 4).with(\.finder, "Mary").with(\.scan, [1]).with(\.name, "Äpfel"), Specimen(2),
    Specimen(3).with(\.age, 7).with(\.length, 2).with(\.name, "b").with(\.kingdom, .plant).with(\.remarks, ["a"]),
    Specimen(4).with(\.age, 4).with(\.mass, 2.5).with(\.isExtinct, true).with(\.sample, [0, 255]),
  ]
}

extension [Specimen] {
  /// Returns specimens 1, 2, 3 and so on, which differ in one property: its values, in this order.
  static func series<Property>(_ path: WritableKeyPath<Specimen, Property>, _ values: Property...) -> [Specimen] {
    values.enumerated().map { Specimen($0.offset + 1).with(path, $0.element) }
  }

  /// Returns specimens 1, 2, 3 and so on, with default values.
  static func series(_ count: Int) -> [Specimen] { (0..<count).map { Specimen($0 + 1) } }
}

/// A rule for repositories of specimens.
typealias SpecimenRule = ConformanceRule<AnyRepository<Specimen>>

/// The context of a rule of a repository of specimens.
typealias SpecimenContext = CheckContext<AnyRepository<Specimen>>
