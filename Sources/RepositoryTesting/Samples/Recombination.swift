import Query
import Repository

/// A generator of further elements from samples: each has the key of one sample, and in every other column the value of any
/// sample. So most columns that allow nulls and ties have them, without a call of the model's initialiser.
struct Recombination<Model: Entity> {
  /// The maximum number of rows, enough for all combinations that pairs of rows can show.
  private static var mostRows: Int { 40 }

  private let samples: SampleSet<Model>
  private var random: SplitMix64

  init(_ samples: SampleSet<Model>, seed: UInt64) {
    self.samples = samples
    random = SplitMix64(seed: seed)
  }

  /// Returns elements with the samples' keys, without those that the model refuses.
  ///
  /// - Parameter variety: the maximum number of different values in a column, null included.
  mutating func elements(variety: Int) -> [Model] {
    let rows = Array(samples.rows.shuffled(using: &random).prefix(Self.mostRows))
    let choices = samples.columns.map { self.choices(in: $0, variety: variety) }
    // A unique column keeps its values, in another order.
    let exchanged = samples.columns.map { column in
      column.isUnique && !column.isKey ? rows.map { $0[column.position] }.shuffled(using: &random) : []
    }
    var elements: [Model] = []
    var taken = samples.columns.map { _ in Set<Value>() }
    var others: [[Value]] = []
    for (index, row) in rows.enumerated() {
      guard let (element, made) = element(row, index, choices, exchanged, taken) else { continue }
      for column in samples.uniqueColumns where !made[column.position].isNull {
        taken[column.position].insert(made[column.position])
      }
      if !samples.isFree(made, among: others) { continue }
      elements.append(element)
      others.append(made)
    }
    return elements
  }

  private mutating func choices(in column: SampleColumn, variety: Int) -> [Value] {
    let values = column.values.shuffled(using: &random)
    let nulls: [Value] = column.hasNull ? [.null] : []
    return Array((nulls + values).prefix(variety))
  }

  private mutating func element(
    _ row: [Value], _ index: Int, _ choices: [[Value]], _ exchanged: [[Value]], _ taken: [Set<Value>]
  ) -> (Model, [Value])? {
    let tries = 8
    for attempt in 0...tries {
      var made = row
      // The last attempt takes the sample itself.
      for column in samples.contentColumns where attempt < tries {
        let position = column.position
        if column.isUnique {
          if attempt == 0 { made[position] = exchanged[position][index] }
        } else if let value = choices[position].randomElement(using: &random) {
          made[position] = value
        }
      }
      if samples.uniqueColumns.contains(where: { taken[$0.position].contains(made[$0.position]) }) { continue }
      if let element = samples.element(from: made) { return (element, made) }
    }
    return nil
  }
}

/// A generator of random numbers that a seed repeats.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
