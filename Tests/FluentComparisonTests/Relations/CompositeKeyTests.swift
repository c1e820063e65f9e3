import Repository
import Testing

/// An object of a catalogue, such as Messier 31.
private struct CatalogueEntry: Entity, Equatable {
  struct ID: PrimaryKey {
    let catalogue: String
    let number: Int

    func keyValues() throws(ValueError) -> [Value] { [catalogue.makeValue(), try number.makeValue()] }
  }

  let catalogue: String
  let number: Int
  var note: String? = nil

  var id: ID { ID(catalogue: catalogue, number: number) }

  static let schema = Schema(
    "catalogue_entry", CatalogueEntry.init, Column("catalogue", \.catalogue, .primaryKey),
    Column("number", \.number, .primaryKey), Column("note", \.note))

  static let samples = [
    CatalogueEntry(catalogue: "M", number: 31, note: "Andromeda"),
    CatalogueEntry(catalogue: "M", number: 42, note: nil), CatalogueEntry(catalogue: "NGC", number: 31, note: nil),
  ]
}

/// A photograph of an entry, to whose key two of its properties refer.
private struct Photograph: Entity, Equatable {
  let id: Int?
  var catalogue: String
  var number: Int

  var entryID: CatalogueEntry.ID { CatalogueEntry.ID(catalogue: catalogue, number: number) }

  static let entry = ToOne(\Photograph.catalogue, \Photograph.number, to: CatalogueEntry.self, onDelete: .cascade)
  static let schema = Schema(
    "photograph", Photograph.init, Column("id", \.id, .generated), Column("catalogue", \.catalogue),
    Column("number", \.number)
  ).references(entry)
}

extension Photograph {
  fileprivate static let wrongEntry = ToOne(\Photograph.number, \Photograph.catalogue, to: CatalogueEntry.self)
}

@Suite("A key of two columns")
struct CompositeKeyTests {
  private func entries(_ kind: StoreKind) async throws -> AnyRepository<CatalogueEntry> {
    let entries = try kind.open().repository(of: CatalogueEntry.self)
    try await entries.insert(CatalogueEntry.samples)
    return entries
  }

  @Test("is unique as a pair alone", arguments: StoreKind.allCases)
  func inserting(kind: StoreKind) async throws {
    let entries = try await entries(kind)
    await expectRefusal(.conflict) { try await entries.insert(CatalogueEntry(catalogue: "M", number: 31)) }
    try await entries.insert([
      CatalogueEntry(catalogue: "NGC", number: 42), CatalogueEntry(catalogue: "M", number: 1),
    ])
    #expect(try await entries.count() == 5)
  }

  @Test("finds one, its parts find several", arguments: StoreKind.allCases)
  func finding(kind: StoreKind) async throws {
    let entries = try await entries(kind)
    #expect(try await entries.get(CatalogueEntry.ID(catalogue: "M", number: 31)).note == "Andromeda")
    #expect(try await entries.findAll(where: { $0.catalogue == "M" }).map(\.number) == [31, 42])
    #expect(try await entries.findAll(where: { $0.number == 31 }).map(\.catalogue) == ["M", "NGC"])
  }

  @Test("stays when an element is changed; another key is another element", arguments: StoreKind.allCases)
  func changing(kind: StoreKind) async throws {
    let entries = try await entries(kind)
    var orion = try await entries.get(CatalogueEntry.ID(catalogue: "M", number: 42))
    orion.note = "Orion"
    try await entries.save(orion)
    #expect(try await entries.filter { $0.note == "Orion" }.count() == 1)
    await expectRefusal(.invalidQuery) {
      try await entries.filter { $0.number == 42 }.update { $0.number = 43 }
    }
  }

  @Test("deletes several at once", arguments: StoreKind.allCases)
  func deleting(kind: StoreKind) async throws {
    let entries = try await entries(kind)
    #expect(try await entries.delete(CatalogueEntry.samples.map(\.id)) == 3)
    #expect(try await entries.count() == 0)
  }
}

@Suite("A reference to a key of two columns")
struct CompositeReferenceTests {
  @Test("leads to its parent and from there to the children", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let store = try kind.open()
    let photographs = try store.repository(of: Photograph.self)
    let entries = try store.repository(of: CatalogueEntry.self)
    try await entries.insert(CatalogueEntry.samples)
    try await photographs.insert([
      Photograph(id: nil, catalogue: "M", number: 31), Photograph(id: nil, catalogue: "NGC", number: 31),
      Photograph(id: nil, catalogue: "M", number: 31),
    ])
    let all = try await photographs.selection().including(Photograph.entry.from(entries)).all()
    #expect(all.map { $0.1?.note } == ["Andromeda", nil, "Andromeda"])
    #expect(Set(all.map { $0.1?.id }).count == 2)
    let taken = try await entries.selection().including(ToMany(Photograph.entry).from(photographs)).all()
    for (entry, photographs) in taken {
      switch (entry.catalogue, entry.number) {
      case ("M", 31): #expect(photographs.map(\.id) == [1, 3])
      case ("NGC", 31): #expect(photographs.map(\.id) == [2])
      default: #expect(photographs.isEmpty)
      }
    }
  }

  @Test("is a path of a query, by the properties that refer", arguments: StoreKind.allCases)
  func path(kind: StoreKind) async throws {
    let store = try kind.open()
    let photographs = try store.repository(of: Photograph.self)
    let entries = try store.repository(of: CatalogueEntry.self)
    try await entries.insert(CatalogueEntry.samples)
    try await photographs.insert([
      Photograph(id: nil, catalogue: "M", number: 42), Photograph(id: nil, catalogue: "M", number: 31),
    ])
    #expect(try await photographs.findAll(where: { $0.entry.note == "Andromeda" }).map(\.id) == [2])
    #expect(try await photographs.findAll(where: { $0.entry.note == nil }).map(\.id) == [1])
    let byNote = try await photographs.findAll(sortedBy: { $0.entry.note.descending })
    #expect(byNote.map(\.id) == [2, 1])
    #expect(try await photographs.count(AnyQuery(parsing: "number.note = 'Andromeda' and catalogue.number = 31")) == 1)
    await expectRefusal(.invalidQuery) { try await photographs.filter { $0.wrongEntry.note == nil }.count() }
  }

  @Test("is kept: no entry, no photograph, and they go together", arguments: StoreKind.allCases)
  func rules(kind: StoreKind) async throws {
    let store = try kind.open()
    let photographs = try store.repository(of: Photograph.self)
    let entries = try store.repository(of: CatalogueEntry.self)
    try await entries.insert(CatalogueEntry.samples)
    await expectRefusal(.foreignKeyViolation) {
      try await photographs.insert(Photograph(id: nil, catalogue: "NGC", number: 42))
    }
    try await photographs.insert(Photograph(id: nil, catalogue: "M", number: 42))
    #expect(try await entries.delete(CatalogueEntry.ID(catalogue: "M", number: 42)) == 1)
    #expect(try await photographs.count() == 0)
  }

  private struct Sketch: Entity, Equatable {
    let id: Int
    var catalogue: String?
    var number: Int?

    static let catalogueEntry = ToOne(\Sketch.catalogue, \Sketch.number, to: CatalogueEntry.self, onDelete: .setNull)
    static let schema = Schema(
      "sketch", Sketch.init, Column("id", \.id), Column("catalogue", \.catalogue), Column("number", \.number)
    ).references(catalogueEntry)
  }

  @Test("refers to nothing where one of its columns is nil", arguments: StoreKind.allCases)
  func optional(kind: StoreKind) async throws {
    let store = try kind.open()
    let sketches = try store.repository(of: Sketch.self)
    let entries = try store.repository(of: CatalogueEntry.self)
    try await entries.insert(CatalogueEntry.samples)
    try await sketches.insert([
      Sketch(id: 1, catalogue: "M", number: 31), Sketch(id: 2, catalogue: "M", number: nil),
      Sketch(id: 3, catalogue: nil, number: nil),
    ])
    let all = try await sketches.selection().including(Sketch.catalogueEntry.from(entries)).all()
    #expect(all.map { $0.1?.note } == ["Andromeda", nil, nil])
    try await entries.delete(CatalogueEntry.ID(catalogue: "M", number: 31))
    #expect(try await sketches.get(1) == Sketch(id: 1, catalogue: nil, number: nil))
    #expect(try await sketches.get(2).catalogue == "M")
  }
}
