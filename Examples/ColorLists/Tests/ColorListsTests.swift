import ErrorHandling
import Repository
import SQLiteStore
import Testing

@testable import clr

@Suite("ColorLists over repositories in memory and in SQLite")
struct ColorListsTests {
  private static let red = NamedColor(name: "Red", color: Color(red: 0xE6, green: 0, blue: 0x12))
  private static let blue = NamedColor(name: "Blue", color: Color(red: 0, green: 0x68, blue: 0xB7))

  /// Both kinds, with a list each.
  private func samples() async throws -> [ColorLists] {
    let both = [try ColorLists(MemoryStore()), try ColorLists(try SQLiteStore.inMemory())]
    for lists in both { try await lists.make(ColorList(name: "Brand", colors: [Self.red, Self.blue])) }
    return both
  }

  @Test("colors stay in the order in which they came")
  func order() async throws {
    for lists in try await samples() {
      let green = NamedColor(name: "Green", color: Color(red: 0, green: 0x99, blue: 0x44))
      let darkRed = NamedColor(name: "Red", color: Color(red: 0x80, green: 0, blue: 0))
      try await lists.add([green, darkRed], to: "Brand")
      #expect(try await lists.list("Brand").colors == [darkRed, Self.blue, green])
    }
  }

  @Test("lists come by name, each with its own colors")
  func all() async throws {
    for lists in try await samples() {
      try await lists.make(ColorList(name: "Alps", colors: []))
      try await lists.make(ColorList(name: "Coast", colors: [Self.blue]))
      #expect(
        try await lists.all().map { "\($0.name) \($0.colors.map(\.name))" } == [
          "Alps []", #"Brand ["Red", "Blue"]"#, #"Coast ["Blue"]"#,
        ])
    }
  }

  @Test("a list and its colors are renamed and removed")
  func changes() async throws {
    for lists in try await samples() {
      try await lists.rename("Brand", color: "Red", to: "Rouge")
      try await lists.rename("Brand", to: "Marque")
      #expect(try await lists.list("Marque").colors.map(\.name) == ["Rouge", "Blue"])
      try await lists.remove("Marque", colors: ["Rouge"])
      #expect(try await lists.list("Marque").colors == [Self.blue])
      try await lists.remove("Marque")
      #expect(try await lists.all() == [])
      // Its colors are gone, too: a new list of the name is empty.
      try await lists.make(ColorList(name: "Marque", colors: []))
      #expect(try await lists.list("Marque").colors == [])
    }
  }

  @Test("what can't be done is told, and changes nothing")
  func refusals() async throws {
    let cases: [(DomainError.Code, String, String?, (ColorLists) async throws -> Void)] = [
      (.notFound, "there is no list Bland", "there are Brand", { _ = try await $0.list("Bland") }),
      (.notFound, "there is no list Bland", "there are Brand", { try await $0.add([Self.red], to: "Bland") }),
      (
        .notFound, "the list Brand has no Rot", "it has Red, Blue",
        { try await $0.remove("Brand", colors: ["Red", "Rot"]) }
      ),
      (
        .notFound, "the list Brand has no Rot", "it has Red, Blue",
        { try await $0.rename("Brand", color: "Rot", to: "Rouge") }
      ),
      (
        .conflict, "the list Brand has a Blue already", "choose another name",
        { try await $0.rename("Brand", color: "Red", to: "Blue") }
      ),
      (
        .conflict, "there is a list Brand already", "add to it, or choose another name: clr add Brand Red=#E60012",
        { try await $0.make(ColorList(name: "Brand", colors: [])) }
      ),
      (
        .ruleBroken, "a list and a color have a name of 255 letters at most", "write it in front: Red=#E60012",
        { try await $0.make(ColorList(name: "New", colors: [NamedColor(name: "", color: Self.red.color)])) }
      ),
      (
        .ruleBroken, "a list and a color have a name of 255 letters at most", "write it in front: Red=#E60012",
        { try await $0.rename("Brand", to: String(repeating: "x", count: 256)) }
      ),
    ]
    for lists in try await samples() {
      for (code, summary, suggestion, ask) in cases {
        let error = await #expect(throws: DomainError.self) { try await ask(lists) }
        #expect(error?.code == code && error?.summary == summary)
        #expect(error?.suggestion == suggestion)
        #expect(try await lists.all() == [ColorList(name: "Brand", colors: [Self.red, Self.blue])])
      }
    }
  }
}
