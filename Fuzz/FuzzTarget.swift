#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Takes one input of libFuzzer's: a letter that says what to read, and the text that is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  // An input that is not wanted is kept in no corpus.
  guard let letter = bytes.first, let subject = Subject(letter: letter), wanted.contains(subject.rawValue) else {
    return -1
  }
  subject.check(String(decoding: bytes.dropFirst(), as: UTF8.self))
  return 0
}

/// The letters of what is read; all of them where the environment names none.
private let wanted = getenv("REPOKIT_FUZZ_ONLY").map { String(cString: $0) } ?? String(Subject.allCases.map(\.rawValue))

/// Shows the input in a file as Swift text, and nothing else, where the environment asks for that.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  guard let path = getenv("REPOKIT_FUZZ_SHOW"), let file = fopen(path, "rb") else { return 0 }
  var bytes: [UInt8] = []
  while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
  fclose(file)
  print(SwiftText.literal(String(decoding: bytes, as: UTF8.self)))
  exit(0)
}
