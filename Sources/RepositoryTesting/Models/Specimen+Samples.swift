import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Specimen {
  /// A specimen of which nothing is known but its key, with a label and a code of its own.
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

  /// The specimen with one property changed.
  func with<Property>(_ path: WritableKeyPath<Specimen, Property>, _ property: Property) -> Specimen {
    var specimen = self
    specimen[keyPath: path] = property
    return specimen
  }

  /// Specimens 1, 2, 3 and so on, which differ in one property: its values, in this order.
  static func series<Property>(_ path: WritableKeyPath<Specimen, Property>, _ values: Property...) -> [Specimen] {
    values.enumerated().map { Specimen($0.offset + 1).with(path, $0.element) }
  }

  /// Specimens 1, 2, 3 and so on, of which nothing else is known.
  static func series(_ count: Int) -> [Specimen] {
    (0..<count).map { Specimen($0 + 1) }
  }
}

/// A rule for repositories of specimens.
typealias SpecimenRule = ConformanceRule<AnyRepository<Specimen>>
