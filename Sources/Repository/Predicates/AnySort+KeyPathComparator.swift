// Apple platforms have one Foundation. Elsewhere `KeyPathComparator` is part of FoundationInternationalization, whose
// Unicode data would make a statically linked program seven times as large (62 MB instead of 9 MB), for a type that few
// programs there use. Programs that use it define `KeyPathComparators`.
#if canImport(Darwin) || KeyPathComparators
  public import Query

  #if canImport(FoundationInternationalization)
    import FoundationEssentials
    public import FoundationInternationalization
  #else
    public import Foundation
  #endif

  extension AnySort {
    /// Makes the sort of Foundation comparators, as used by a SwiftUI `Table`, with the keys of the model type's schema.
    ///
    /// `nil` sorts first in ascending and last in descending order, as in Foundation. Texts are ordered by their UTF-8 bytes.
    ///
    /// - Throws: `QueryError` with the code `unsupportedPredicate` for a comparator that does not compare by `<`, such as a
    ///   localized one, and for a type whose `<` is not known to be the order of its stored values.
    public init<Element: Entity>(_ comparators: some Sequence<KeyPathComparator<Element>>) throws(QueryError) {
      var sort = AnySort.primaryKey
      for comparator in comparators { sort += try comparator.sort(by: Element.schema) }
      self = sort
    }
  }

  extension KeyPathComparator where Compared: Storable {
    fileprivate func sort(by schema: Schema<Compared>) throws(QueryError) -> AnySort {
      let property = type(of: keyPath).valueType
      let type = (property as? any OptionalType.Type)?.wrappedType ?? property
      guard let ordered = type as? any (Comparable & ValueConvertible).Type, let sort = plainSort(ordered, by: schema)
      else {
        throw QueryError(
          .unsupportedPredicate, "can't convert the comparator of \(keyPath) to a sort",
          reason: "a store compares with < and has no locale")
      }
      guard StoredOrder.isKept(by: type) else {
        throw QueryError(
          .unsupportedPredicate, "can't convert the order of \(keyPath) to a sort",
          reason: "a store orders \(type) by the stored values, which may differ from the order of `<`")
      }
      return sort
    }

    /// Returns the same sort, if this is the default comparator of the key path.
    private func plainSort<Property: Comparable & ValueConvertible>(
      _ type: Property.Type, by schema: Schema<Compared>
    ) -> AnySort? {
      if let path: any KeyPath<Compared, Property> & Sendable = cast(keyPath) {
        if self != KeyPathComparator(path, order: order) { return nil }
        return order == .forward ? .ascending(key: schema.key(of: path)) : .descending(key: schema.key(of: path))
      }
      if let path: any KeyPath<Compared, Property?> & Sendable = cast(keyPath) {
        if self != KeyPathComparator(path, order: order) { return nil }
        return order == .forward ? .ascending(key: schema.key(of: path)) : .descending(key: schema.key(of: path))
      }
      return nil
    }
  }

  /// Casts to a type that names `Sendable`, which `as?` itself may not.
  private func cast<Target>(_ value: Any) -> Target? { value as? Target }

  /// A protocol that exposes the wrapped type of an optional.
  private protocol OptionalType {
    static var wrappedType: Any.Type { get }
  }

  extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
  }
#endif
