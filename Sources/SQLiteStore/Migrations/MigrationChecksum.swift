/// A number that is another one as soon as a migration is edited, in practice.
///
/// FNV-1a with 64 bits (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv): it is to notice mistakes, and keeps nobody
/// from deceiving himself.
struct MigrationChecksum {
  let text: String

  init(of steps: [MigrationStep]) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for step in steps {
      for word in step.declaration {
        word.utf8.forEach(add)
        // A byte of no text, so that no two lists of words run into the same bytes.
        add(0xFF)
      }
      add(0xFE)
    }
    let digits = String(hash, radix: 16)
    text = String(repeating: "0", count: 16 - digits.count) + digits
  }
}
