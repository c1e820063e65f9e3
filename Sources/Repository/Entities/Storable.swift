public import Query

/// What a repository finds and saves: a value that is identified by a primary key.
public protocol Storable: Identifiable, Sendable where ID: PrimaryKey {}
