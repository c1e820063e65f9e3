import Foundation
import RepositoryTesting

extension Specimen {
  /// Specimens that differ in every property, with what is hard to keep in them.
  static let samples: [Specimen] = [
    Specimen(
      id: 1, age: nil, mass: 0.5, length: nil, name: "Ash", finder: "Mary", sample: [1, 2], scan: nil, isExtinct: false,
      found: Date(timeIntervalSinceReferenceDate: 800_000_000.123456), code: UUID(), label: "first label",
      kingdom: .plant, remarks: []),
    Specimen(
      id: 2, age: 9_007_199_254_740_993, mass: 9_007_199_254_740_992, length: 3, name: "a\0b", finder: nil, sample: [],
      scan: [], isExtinct: true, found: Date(timeIntervalSinceReferenceDate: -900_000_000.5), code: UUID(),
      label: "second label", kingdom: .animal, remarks: ["a"]),
    Specimen(
      id: -3, age: 9_007_199_254_740_992, mass: -7, length: 0.25, name: "cafe\u{301}", finder: "é", sample: [0xFF],
      scan: [0], isExtinct: false, found: Date(timeIntervalSinceReferenceDate: 700_000_000.25), code: UUID(),
      label: "third label", kingdom: .fungus, remarks: ["a", "b"]),
    Specimen(
      id: 40, age: .max, mass: 13, length: 13, name: "100%", finder: "mary", sample: [1], scan: [1], isExtinct: true,
      found: Date(timeIntervalSinceReferenceDate: 600_000_000), code: UUID(), label: "fourth label", kingdom: .plant,
      remarks: ["b"]),
  ]
}

extension Drawer {
  static let samples = [
    Drawer(content: "moths", cabinet: "a", number: 1), Drawer(content: nil, cabinet: "a", number: 2),
    Drawer(content: "Beetles", cabinet: "é", number: 1), Drawer(content: "bees", cabinet: "B", number: 10),
  ]
}
