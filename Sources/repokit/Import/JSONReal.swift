/// Reals that JSON has no numbers for, as `--format json` writes them.
enum JSONReal {
  static func isInfinity(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { infinity(bytes) != nil }

  /// The infinity that a text spells.
  static func infinity(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count == 8 || bytes.count == 9 else { return nil }
    if bytes.elementsEqual("Infinity".utf8) { return .infinity }
    return bytes.elementsEqual("-Infinity".utf8) ? -.infinity : nil
  }
}
