import Testing

@testable import pokedex

@Suite("Entries from comma-separated values")
struct PokedexCSVTests {
  private static let header = """
    id,name,japanese_name,type1,type2,height,weight,hp,attack,defense,special_attack,special_defense,speed,legendary,\
    color,habitat

    """

  private func read(_ text: String) throws -> [Pokemon] { try PokedexCSV.read(bytes: Array(text.utf8)) }

  @Test("A record becomes an entry, and an empty field nothing")
  func entry() throws {
    let entries = try read(
      Self.header + """
        16,Pidgey,ポッポ,normal,flying,1,1.8,50,45,50,50,50,56,0,brown,forest
        150,Mewtwo,ミュウツー,psychic,,1,122.0,50,110,50,50,50,130,1,brown,rare
        29,"Nidoran♀",ニドラン♀,poison,,1,7,50,50,50,50,50,50,0,brown,
        """)
    #expect(entries == [.pidgey, .mewtwo, .nidoran])
  }

  @Test("Columns may stand in any order, and others beside them")
  func order() throws {
    let columns = Self.header.dropLast().split(separator: ",").map(String.init)
    let fields = "16,Pidgey,ポッポ,normal,flying,1,1.8,50,45,50,50,50,56,0,brown,forest".split(separator: ",").map(
      String.init)
    let text =
      (["note"] + columns.reversed()).joined(separator: ",") + "\n" + (["x"] + fields.reversed()).joined(separator: ",")
    #expect(try read(text) == [.pidgey])
  }

  @Test(
    "A field that is no part of an entry is named with its line",
    arguments: [
      ("x,Pidgey,ポッポ,normal,,1,1.8,50,45,50,50,50,56,0,brown,", "line 2: id is no number"),
      ("16,,ポッポ,normal,,1,1.8,50,45,50,50,50,56,0,brown,", "line 2: name is empty"),
      ("16,Pidgey,ポッポ,,,1,1.8,50,45,50,50,50,56,0,brown,", "line 2: type1 is empty"),
      ("16,Pidgey,ポッポ,normal,,1,heavy,50,45,50,50,50,56,0,brown,", "line 2: weight is no number"),
      ("16,Pidgey,ポッポ,normal,,1,1.8,50,45,50,50,50,56,0,beige,", "line 2: color is none of black, blue"),
      ("16,Pidgey,ポッポ,normal,,1,1.8,50,45,50,50,50,56,0,brown,moon", "line 2: habitat is none of cave"),
      ("16,Pidgey,ポッポ,normal,,1,1.8,50,45,50,50,50,56,yes,brown,", "line 2: legendary is neither 0 nor 1"),
    ])
  func malformed(record: String, message: String) {
    let error = #expect(throws: CSVFieldError.self) { try read(Self.header + record) }
    #expect(error?.summary.hasPrefix(message) == true, "\(error?.summary ?? "")")
  }

  @Test("A column that is missing is named")
  func missingColumn() {
    let error = #expect(throws: CSVFieldError.self) { try read("id,name\n1,Bulbasaur") }
    #expect(error?.summary == "line 2: japanese_name is missing in the header")
  }
}
