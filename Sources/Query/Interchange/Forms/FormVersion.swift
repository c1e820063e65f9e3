/// The version of the form that this release writes, and the only one that it reads.
enum FormVersion {
  static let current: Int64 = 1
}
