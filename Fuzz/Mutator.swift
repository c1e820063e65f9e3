// libFuzzer's own changes are there only where it is linked: scripts/fuzz.sh.
#if FUZZING
  @_silgen_name("LLVMFuzzerMutate")
  private func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int) -> Int

  /// Changes an input as libFuzzer does, but for its letter: an input of another reader's would count, and not be read.
  @_cdecl("LLVMFuzzerCustomMutator")
  public func fuzzMutate(
    _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: CUnsignedInt
  ) -> Int {
    count == 0 || maximum < 2 ? mutate(start, count, maximum) : 1 + mutate(start + 1, count - 1, maximum - 1)
  }
#endif
