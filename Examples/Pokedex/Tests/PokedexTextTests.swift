import ErrorHandling
import Testing

@testable import pokedex

@Suite("What a person reads")
struct PokedexTextTests {
  @Test("A list stands in columns, Japanese names too")
  func list() throws {
    #expect(
      PokedexText.list(try Translator.entry([.pidgey, .charizard, .nidoran])) == """
        No.  Name       Japanese    Type            Height   Weight  Speed  Habitat
         16  Pidgey     ポッポ      normal, flying   1.0 m   1.8 kg     56  forest
          6  Charizard  リザードン  fire, flying     1.0 m  90.5 kg    100  mountain
         29  Nidoran♀   ニドラン♀   poison           1.0 m   7.0 kg     50
        """)
  }

  @Test("An empty list says so")
  func emptyList() {
    #expect(PokedexText.list([]) == "No Pokémon is like that.")
  }

  @Test("An entry tells everything")
  func entry() throws {
    #expect(
      PokedexText.entry(try Translator.entry(.mewtwo)) == """
        No. 150  Mewtwo  ミュウツー (legendary)

        Type     psychic
        Height   1.0 m
        Weight   122.0 kg
        Habitat  rare
        Color    brown

        Hit points        50  ██████████
        Attack           110  ██████████████████████
        Defense           50  ██████████
        Special attack    50  ██████████
        Special defense   50  ██████████
        Speed            130  ██████████████████████████
        Total            440
        """)
  }

  @Test(
    "Texts are as wide as a terminal shows them",
    arguments: [
      ("", 0), ("Mew", 3), ("ミュウ", 6), ("ｶﾞ", 2), ("ガ", 2), ("カ\u{3099}", 2), ("é", 1), ("e\u{301}", 1), ("♀", 1),
    ])
  func width(text: String, width: Int) {
    #expect(TextTable.width(of: text) == width)
  }
}
