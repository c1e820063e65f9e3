#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query

// Columns with the time of a write, so that no program has to set them.
extension ColumnConstraint {
  /// The constraint of a column for the time of insertion: see ``createdAt(by:)``.
  public static let createdAt = ColumnConstraint(timestamp: Timestamp(.creation, systemClock))

  /// The constraint of a column for the time of the last write: see ``updatedAt(by:)``.
  public static let updatedAt = ColumnConstraint(timestamp: Timestamp(.change, systemClock))

  /// Returns the constraint of a column for the time of insertion: a property that is `nil` is written as the current time.
  ///
  /// ```swift
  /// struct Note: Entity {
  ///   let id: Int
  ///   var text: String
  ///   var createdAt: Date?
  ///   var updatedAt: Date?
  ///   static let schema = Schema<Note>(table: "note") {
  ///     Parameters(of: Note.init)
  ///     Column("id", \.id)
  ///     Column("text", \.text)
  ///     Column("created_at", \.createdAt, .createdAt)
  ///     Column("updated_at", \.updatedAt, .updatedAt)
  ///   }
  /// }
  /// let note = try await notes.insert(Note(id: 1, text: "hot"))  // note.createdAt is a date
  /// ```
  ///
  /// For an optional `Date`, whose column is never null. An element that was read has the time of its insertion, which a save
  /// does not change.
  ///
  /// - Parameter clock: returns the current time; for tests with deterministic results.
  public static func createdAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.creation, clock))
  }

  /// Returns the constraint of a column for the time of the last write: each insert, save and update writes the current time,
  /// for any value of the property.
  ///
  /// For a `Date`, optional or not. An update that sets the property itself takes precedence.
  ///
  /// - Parameter clock: returns the current time; for tests with deterministic results.
  public static func updatedAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.change, clock))
  }

  static let systemClock: @Sendable () -> Date = { Date() }
}

/// The kind of time that a column holds, with its clock.
@usableFromInline
final class Timestamp: Sendable {
  enum Event {
    case creation
    case change
    case deletion
  }

  let event: Event
  private let clock: @Sendable () -> Date

  init(_ event: Event, _ clock: @escaping @Sendable () -> Date) {
    (self.event, self.clock) = (event, clock)
  }

  /// Returns the value of a column that is written now.
  ///
  /// - Parameter value: the property's own value.
  @usableFromInline
  func value(for value: Value) throws(ValueError) -> Value {
    switch event {
    case .creation where value.isNull, .change: try clock().makeValue()
    case .creation, .deletion: value
    }
  }

  /// Returns the assignment of the current time.
  func assignment(to key: String) -> Assignment {
    do throws(ValueError) {
      return Assignment(key, try clock().makeValue())
    } catch {
      return Assignment(key, failing: error)
    }
  }

  /// Whether the column is not nullable although its property is optional.
  @usableFromInline var isRequired: Bool { event == .creation }

  /// Returns the error of a column for a timestamp; `nil` if it is valid.
  @usableFromInline
  func problem(with column: ColumnSchema, ofOptional isOptional: Bool) -> String? {
    if column.format != .date { return "\(column.name) stores a time, but is not a date column" }
    if event == .creation, !isOptional {
      return "\(column.name) stores when a row was inserted, so the property must be optional"
    }
    if event == .deletion, !isOptional {
      return "\(column.name) stores when a row was deleted, so the property must be optional"
    }
    return nil
  }
}

extension Schema {
  /// Returns assignments, together with those of the time of the change.
  package func timestamped(_ assignments: [Assignment]) -> [Assignment] {
    if timestamps.isEmpty || assignments.isEmpty { return assignments }
    return assignments
      + timestamps.filter { timestamp in
        timestamp.timestamp.event == .change && !assignments.contains { Name($0.key) == timestamp.key }
      }.map { $0.timestamp.assignment(to: $0.key) }
  }

  /// The columns of timestamps, which need no value of their own.
  package var timestampKeys: [String] { timestamps.map(\.key) }

  /// The columns of the times of changes, whose values are written by the store, whatever they are.
  package var changeTimestampKeys: [String] { timestamps.filter { $0.timestamp.event == .change }.map(\.key) }

  /// Whether rows hold values that are not known before they are written.
  package var completesRows: Bool { !timestamps.isEmpty }
}
