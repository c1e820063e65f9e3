package import Testing

extension Tag {
  /// A test of more than two seconds of a processor, in a suite of others or in one with helpers that these need.
  ///
  /// `make test` builds such a test, but leaves it to `make test-slow` (scripts/test.py). Suites that take long to run or to
  /// compile, and corners, are in the folders `Slow`, which `make test` does not even build.
  @Tag package static var slow: Self
}
