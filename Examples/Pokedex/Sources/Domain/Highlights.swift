/// The entries that stand out.
struct Highlights: Hashable {
  /// How many entries there are in all.
  let count: Int
  let heaviest: [Entry]
  /// Without the legendary ones, which have a list of their own.
  let fastest: [Entry]
  let legendary: [Entry]
}
