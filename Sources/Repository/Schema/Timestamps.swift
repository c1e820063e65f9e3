#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query

// Columns that keep when an element was written, so that no program has to set them.
extension ColumnConstraint {
  /// The column keeps when the element was inserted: see ``createdAt(by:)``.
  public static let createdAt = ColumnConstraint(timestamp: Timestamp(.creation, systemClock))

  /// The column keeps when the element was written last: see ``updatedAt(by:)``.
  public static let updatedAt = ColumnConstraint(timestamp: Timestamp(.change, systemClock))

  /// The column keeps when the element was inserted: a property that is `nil` is written as the time that it is then.
  ///
  /// ```swift
  /// struct Note: Entity {
  ///   let id: Int
  ///   var text: String
  ///   var createdAt: Date?
  ///   var updatedAt: Date?
  ///   static let schema = Schema(
  ///     "note", Note.init, Column("id", \.id), Column("text", \.text),
  ///     Column("created_at", \.createdAt, .createdAt), Column("updated_at", \.updatedAt, .updatedAt))
  /// }
  /// let note = try await notes.insert(Note(id: 1, text: "hot"))  // note.createdAt is a date
  /// ```
  ///
  /// For an optional `Date`, whose column is never null. An element that was read brings its time along, so that saving it
  /// changes nothing of that.
  ///
  /// - Parameter clock: tells what time it is; for tests, whose results shall not differ.
  public static func createdAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.creation, clock))
  }

  /// The column keeps when the element was written last: whatever the property is, each insert, save and update writes the time
  /// that it is then.
  ///
  /// For a `Date`, optional or not. An update that sets the property itself is kept.
  ///
  /// - Parameter clock: tells what time it is; for tests, whose results shall not differ.
  public static func updatedAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.change, clock))
  }

  static let systemClock: @Sendable () -> Date = { Date() }
}

/// What a column keeps of when its element was written.
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

  /// The value of a column that is written now.
  ///
  /// - Parameter value: the property's own.
  @usableFromInline
  func value(for value: Value) throws(ValueError) -> Value {
    switch event {
    case .creation where value.isNull, .change: try clock().makeValue()
    case .creation, .deletion: value
    }
  }

  /// The assignment of the time that it is now.
  func assignment(to key: String) -> Assignment {
    do throws(ValueError) {
      return Assignment(key, try clock().makeValue())
    } catch {
      return Assignment(key, failing: error)
    }
  }

  /// Whether the column is never null though its property may be `nil`.
  @usableFromInline var isRequired: Bool { event == .creation }

  /// What is wrong with a column that is to keep the time; `nil` for nothing.
  @usableFromInline
  func problem(with column: ColumnSchema, ofOptional isOptional: Bool) -> String? {
    if column.format != .date { return "\(column.name) keeps a time, and is no column of dates" }
    if event == .creation, !isOptional {
      return "\(column.name) keeps when a row was inserted, and is never `nil` before"
    }
    if event == .deletion, !isOptional {
      return "\(column.name) keeps when a row was deleted, and is never `nil` before"
    }
    return nil
  }
}

extension Schema {
  /// Assignments, and those of the time of the change.
  package func timestamped(_ assignments: [Assignment]) -> [Assignment] {
    if timestamps.isEmpty || assignments.isEmpty { return assignments }
    return assignments
      + timestamps.filter { timestamp in
        timestamp.timestamp.event == .change && !assignments.contains { $0.key == timestamp.key }
      }.map { $0.timestamp.assignment(to: $0.key) }
  }

  /// The columns that keep times of writing, which need no value of their own.
  package var timestampKeys: [String] { timestamps.map(\.key) }

  /// Whether rows hold what is not known before they are written.
  package var completesRows: Bool { !timestamps.isEmpty }
}
