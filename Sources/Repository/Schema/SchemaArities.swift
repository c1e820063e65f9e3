public import Query

// The conversions from a row to an element, one for each number of columns up to sixteen.
//
// These initialisers do the same as the one over a parameter pack. But a pack is iterated at run time, type by type: reading a
// row of ten columns took 1.4 times as long as in hand-written calls, and 1.1 times with the columns written out. A schema with
// more columns, or one with a column of JSON, reads its rows by the pack.
extension Schema {
  /// See ``init(_:_:_:)``.
  @inlinable
  public init<A: ValueConvertible>(
    _ table: String, _ make: @escaping @Sendable (A) throws -> Element,
    _ a: Column<Element, A>
  ) {
    self.init(table, make, a) { row in
      try make(A(from: row, at: 0))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<A: ValueConvertible, B: ValueConvertible>(
    _ table: String, _ make: @escaping @Sendable (A, B) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>
  ) {
    self.init(table, make, a, b) { row in
      try make(A(from: row, at: 0), B(from: row, at: 1))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible>(
    _ table: String, _ make: @escaping @Sendable (A, B, C) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>
  ) {
    self.init(table, make, a, b, c) { row in
      try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible>(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>
  ) {
    self.init(table, make, a, b, c, d) { row in
      try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible>(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>
  ) {
    self.init(table, make, a, b, c, d, f) { row in
      try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>
  ) {
    self.init(table, make, a, b, c, d, f, g) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>
  ) {
    self.init(table, make, a, b, c, d, f, g, h) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L, M) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>, _ m: Column<Element, M>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l, m) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L, M, N) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>, _ m: Column<Element, M>,
    _ n: Column<Element, N>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l, m, n) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L, M, N, O) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>, _ m: Column<Element, M>,
    _ n: Column<Element, N>, _ o: Column<Element, O>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l, m, n, o) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible, P: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L, M, N, O, P) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>, _ m: Column<Element, M>,
    _ n: Column<Element, N>, _ o: Column<Element, O>, _ p: Column<Element, P>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l, m, n, o, p) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13), P(from: row, at: 14))
    }
  }

  /// See `init(_:_:_:)`.
  @inlinable
  public init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible, P: ValueConvertible,
    Q: ValueConvertible
  >(
    _ table: String, _ make: @escaping @Sendable (A, B, C, D, F, G, H, I, J, K, L, M, N, O, P, Q) throws -> Element,
    _ a: Column<Element, A>, _ b: Column<Element, B>, _ c: Column<Element, C>, _ d: Column<Element, D>,
    _ f: Column<Element, F>, _ g: Column<Element, G>, _ h: Column<Element, H>, _ i: Column<Element, I>,
    _ j: Column<Element, J>, _ k: Column<Element, K>, _ l: Column<Element, L>, _ m: Column<Element, M>,
    _ n: Column<Element, N>, _ o: Column<Element, O>, _ p: Column<Element, P>, _ q: Column<Element, Q>
  ) {
    self.init(table, make, a, b, c, d, f, g, h, i, j, k, l, m, n, o, p, q) { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13), P(from: row, at: 14),
        Q(from: row, at: 15))
    }
  }
}
