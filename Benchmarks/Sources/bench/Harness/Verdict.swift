/// Whether a budget is met, and by how much not.
struct Verdict {
  let isMet: Bool
  let text: String
}
