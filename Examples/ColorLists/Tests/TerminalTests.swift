import Testing

@testable import clr

@Suite("What is typed, and what is shown")
struct TerminalTests {
  private static let red = NamedColor(name: "Red", color: Color(red: 0xE6, green: 0, blue: 0x12))
  private static let shades = ColorList(
    name: "Warm & 2",
    colors: [
      red, NamedColor(name: "red", color: Color(red: 1, green: 2, blue: 3, alpha: 4)),
      NamedColor(name: "in", color: red.color), NamedColor(name: "Deep\nRed 2\u{1B}[2J", color: red.color),
      NamedColor(name: "*", color: red.color),
    ])

  @Test(
    "colors are read as CSS writes them",
    arguments: [
      ("#E60012", "#E60012"), ("e60012", "#E60012"), ("#fff", "#FFFFFF"), ("#F008", "#FF000088"),
      ("#E60012FF", "#E60012"), ("#E6001280", "#E6001280"), ("", nil), ("#", nil), ("#12345", nil), ("red", nil),
      ("##FFF", nil), ("#FF\u{300}F", nil), ("#１２３", nil), ("FFF#", nil),
    ] as [(String, String?)])
  func colors(text: String, expected: String?) {
    #expect(Color(rawValue: text)?.rawValue == expected)
  }

  @Test(
    "words are commands",
    arguments: [
      ("", .list), ("list", .list), ("Brand Red=#E60012", .make(ColorList(name: "Brand", colors: [red]))),
      ("make list Red=#E60012", .make(ColorList(name: "list", colors: [red]))),
      ("make list", .make(ColorList(name: "list", colors: []))), ("show Brand", .show("Brand")),
      ("add Brand Red=#E60012", .add([red], to: "Brand")),
      ("add Brand a=b=#E60012", .add([NamedColor(name: "a=b", color: red.color)], to: "Brand")),
      ("rename Brand Marque", .rename("Brand", color: nil, to: "Marque")),
      ("rename Brand Red Rouge", .rename("Brand", color: "Red", to: "Rouge")),
      ("remove Brand", .remove("Brand", colors: [])),
      ("remove Brand Red Blue", .remove("Brand", colors: ["Red", "Blue"])),
      ("import a.clr --name A", .importing(path: "a.clr", as: "A")),
      ("export Brand --output b.clr", .export("Brand", .clr, path: "b.clr")),
      ("export Brand --format css", .export("Brand", .css, path: nil)),
      ("export Brand --format=css", .export("Brand", .css, path: nil)), ("show -- --x", .show("--x")),
      ("show --help", .help),
    ] as [(String, Arguments.Command)])
  func commands(line: String, command: Arguments.Command) throws {
    #expect(try Arguments(line.split(separator: " ").map(String.init)).command == command)
  }

  @Test(
    "a line that means nothing is told",
    arguments: [
      ("Brand", "there is no command Brand, and a list takes colors: clr Brand Red=#E60012"),
      ("show", "show takes other words than that"), ("Brand Red", "Red is no color such as Red=#E60012"),
      ("Brand Red=#XYZ", "Red takes 3, 4, 6 or 8 hexadecimal digits, not #XYZ"),
      ("export Brand", "a .clr file is no text: --output Brand.clr says where to"),
      ("export Brand --format png", "--format takes clr, css, swift, json, gpl, not png"),
      ("list --sort", "there is no option --sort"), ("list --format css", "--format means nothing here"),
      ("export Brand --format", "--format takes a value"), ("export Brand --output=", "--output takes a value"),
    ])
  func misuse(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try Arguments(line.split(separator: " ").map(String.init)) }
    #expect(error?.description == message)
  }

  @Test("swatches are for terminals of true color alone, and names are never commands to one")
  func shows() {
    let plain = ListText(isTerminal: false, environment: ["COLORTERM": "truecolor"])
    #expect(
      plain.show(Self.shades) == """
        #E60012    Red
        #01020304  red
        #E60012    in
        #E60012    Deep Red 2 [2J
        #E60012    *
        """)
    #expect(plain.list([Self.shades]) == "5  Warm & 2")
    let colored = ListText(isTerminal: true, environment: ["COLORTERM": "truecolor"])
    #expect(
      colored.show(ColorList(name: "", colors: [Self.red])) == "\u{1B}[48;2;230;0;18m      \u{1B}[0m  #E60012  Red")
    #expect(!ListText(isTerminal: true, environment: [:]).hasTrueColor)
  }

  @Test("text forms name each color once, and as their languages allow")
  func exports() throws {
    #expect(
      try Format.css.text(of: Self.shades) == """
        :root {
          --warm-2-red: #e60012;
          --warm-2-red2: #01020304;
          --warm-2-in: #e60012;
          --warm-2-deep-red-2-2j: #e60012;
          --warm-2-color: #e60012;
        }
        """)
    let swift = try #require(try Format.swift.text(of: Self.shades)).split(separator: "\n").filter {
      !$0.contains(".sRGB")
    }
    #expect(
      swift == [
        "import SwiftUI", "enum Warm2 {", "  static let red = Color(", "  static let red2 = Color(",
        "  static let `in` = Color(", "  static let deepRed22j = Color(", "  static let color = Color(", "}",
      ])
    #expect(
      try #require(try Format.gpl.text(of: Self.shades)).hasPrefix(
        "GIMP Palette\nName: Warm & 2\n#\n230   0  18\tRed\n  1   2   3\tred\n"))
    #expect(try Format.json.text(of: ColorList(name: "Ä/\"", colors: []))?.contains(#""name" : "Ä/\"""#) == true)
  }
}
