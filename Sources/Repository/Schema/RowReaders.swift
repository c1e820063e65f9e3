public import Query

// The conversions from a row to an element, one for each number of columns up to sixteen.
//
// These functions do the same as the one over a parameter pack. But a pack is iterated at run time, type by type: reading a
// row of ten columns takes about 1.3 times as long. A schema with more columns, or one with a column of JSON, reads its rows
// by the pack.
extension SchemaBuilder {
  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<A: ValueConvertible>(
    first: Parameters<Element, A>
  ) -> MissingColumns<Element, A> {
    let make = first.make
    return first.reading { row in try make(A(from: row, at: 0)) }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<A: ValueConvertible, B: ValueConvertible>(
    first: Parameters<Element, A, B>
  ) -> MissingColumns<Element, A, B> {
    let make = first.make
    return first.reading { row in try make(A(from: row, at: 0), B(from: row, at: 1)) }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible>(
    first: Parameters<Element, A, B, C>
  ) -> MissingColumns<Element, A, B, C> {
    let make = first.make
    return first.reading { row in try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2)) }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D>
  ) -> MissingColumns<Element, A, B, C, D> {
    let make = first.make
    return first.reading { row in
      try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F>
  ) -> MissingColumns<Element, A, B, C, D, F> {
    let make = first.make
    return first.reading { row in
      try make(A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G>
  ) -> MissingColumns<Element, A, B, C, D, F, G> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L, M>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L, M> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L, M, N>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L, M, N> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible, P: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O, P>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O, P> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13), P(from: row, at: 14))
    }
  }

  /// Begins with the parameters of an initialiser.
  @inlinable
  public static func buildPartialBlock<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, F: ValueConvertible,
    G: ValueConvertible, H: ValueConvertible, I: ValueConvertible, J: ValueConvertible, K: ValueConvertible,
    L: ValueConvertible, M: ValueConvertible, N: ValueConvertible, O: ValueConvertible, P: ValueConvertible,
    Q: ValueConvertible
  >(
    first: Parameters<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O, P, Q>
  ) -> MissingColumns<Element, A, B, C, D, F, G, H, I, J, K, L, M, N, O, P, Q> {
    let make = first.make
    return first.reading { row in
      try make(
        A(from: row, at: 0), B(from: row, at: 1), C(from: row, at: 2), D(from: row, at: 3), F(from: row, at: 4),
        G(from: row, at: 5), H(from: row, at: 6), I(from: row, at: 7), J(from: row, at: 8), K(from: row, at: 9),
        L(from: row, at: 10), M(from: row, at: 11), N(from: row, at: 12), O(from: row, at: 13), P(from: row, at: 14),
        Q(from: row, at: 15))
    }
  }
}
