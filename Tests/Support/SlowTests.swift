package import Testing

extension Tag {
  /// More than two seconds of a processor: random questions, whole contracts over a served store, programs that are killed.
  /// `make test` leaves these suites and tests to `make test-slow`, which finds them by their tags (scripts/test.py).
  @Tag package static var slow: Self
}
