import ErrorHandling
import Repository

/// What can be done with lists of colors, whatever keeps them: SQLite in the program, memory in its tests.
struct ColorLists {
  private let store: any Store
  private let lists: AnyRepository<StoredList>
  private let colors: AnyRepository<StoredColor>

  init(_ store: any Store) throws(RepositoryError) {
    self.store = store
    lists = try store.repository(of: StoredList.self)
    colors = try store.repository(of: StoredColor.self)
  }

  /// All lists by name.
  func all() async throws(DomainError) -> [ColorList] {
    try await DomainError.translating {
      try await store.read { _ in
        let found = lists.sorted { $0.name.ascending }.including(ToMany(StoredColor.list).from(colors))
        return try await found.all().map { ColorList(name: $0.name, colors: $1.map(\.named)) }
      }
    }
  }

  /// The list of a name.
  func list(_ name: String) async throws(DomainError) -> ColorList {
    try await DomainError.translating {
      try await store.read { _ in
        let id = try await id(of: name)
        return ColorList(name: name, colors: try await colors.findAll(where: { $0.listID == id }).map(\.named))
      }
    }
  }

  /// Makes a list, with all of its colors or not at all.
  func make(_ list: ColorList) async throws(DomainError) {
    try await writing(names: [list.name] + list.colors.map(\.name)) {
      if try await lists.filter({ $0.name == list.name }).exists() { throw DomainError.taken(list.name) }
      try await insert(list.colors, into: try await lists.insert(StoredList(id: nil, name: list.name)).id ?? 0)
    }
  }

  /// Adds colors behind the others; a color whose name is there already takes the new value.
  func add(_ added: [NamedColor], to name: String) async throws(DomainError) {
    try await writing(names: added.map(\.name)) { try await insert(added, into: try await id(of: name)) }
  }

  /// Gives a list another name, or one of its colors.
  func rename(_ name: String, color: String? = nil, to newName: String) async throws(DomainError) {
    try await writing(names: [newName]) {
      let id = try await id(of: name)
      guard let color else {
        if newName != name, try await lists.filter({ $0.name == newName }).exists() { throw DomainError.taken(newName) }
        return _ = try await lists.filter { $0.id == id }.update { $0.name = newName }
      }
      try await check([color], areIn: name, id)
      if newName != color, try await colors.filter({ $0.listID == id && $0.name == newName }).exists() {
        throw DomainError.taken(newName, in: name)
      }
      try await colors.filter { $0.listID == id && $0.name == color }.update { $0.name = newName }
    }
  }

  /// Removes colors of a list, or the list itself; all or nothing.
  func remove(_ name: String, colors removed: [String] = []) async throws(DomainError) {
    try await writing(names: removed) {
      let id = try await id(of: name)
      if removed.isEmpty { return _ = try await lists.filter { $0.id == id }.delete() }
      try await check(removed, areIn: name, id)
      try await colors.filter { $0.listID == id && $0.name.in(removed) }.delete()
    }
  }

  private func insert(_ added: [NamedColor], into id: Int) async throws {
    let rows = added.map { StoredColor(id: nil, listID: id, name: $0.name, color: $0.color) }
    try await colors.upsert(rows, by: \.listID, \.name)
  }

  private func id(of name: String) async throws -> Int {
    if let id = try await lists.first(where: { $0.name == name })?.id { return id }
    let names = try await lists.findAll(sortedBy: { $0.name.ascending }, limit: 5).map(\.name)
    throw DomainError(
      .notFound, "there is no list \(name)",
      suggestion: names.isEmpty ? "make one: clr \(name) Red=#E60012" : "there are \(names.joined(separator: ", "))")
  }

  private func check(_ names: [String], areIn list: String, _ id: Int) async throws {
    let known = try await colors.findAll(where: { $0.listID == id }).map(\.name)
    let missing = names.filter { !known.contains($0) }
    if missing.isEmpty { return }
    throw DomainError(
      .notFound, "the list \(list) has no \(missing.joined(separator: ", "))",
      suggestion: known.isEmpty ? nil : "it has \(known.prefix(5).joined(separator: ", "))")
  }

  /// Writes all or nothing, and no names that are empty or longer than a `.clr` file is read with.
  private func writing(names: [String], _ body: () async throws -> Void) async throws(DomainError) {
    if names.contains(where: { $0.isEmpty || $0.utf16.count > 255 }) {
      throw DomainError(
        .ruleBroken, "a list and a color have a name of 255 letters at most",
        suggestion: "write it in front: Red=#E60012")
    }
    try await DomainError.translating { try await store.transaction { _ in try await body() } }
  }
}

extension DomainError {
  /// A name that must be unique and is not.
  fileprivate static func taken(_ name: String, in list: String? = nil) -> DomainError {
    DomainError(
      .conflict, list.map { "the list \($0) has a \(name) already" } ?? "there is a list \(name) already",
      suggestion: list == nil ? "add to it, or choose another name: clr add \(name) Red=#E60012" : "choose another name"
    )
  }
}
