import CSV
import Testing

@Suite("An error")
struct CSVErrorTests {
  @Test(
    "reads as",
    arguments: [
      (
        "a,b\n1\n",
        "line 2, column 2: The record has 1 field, the header has 2. It ends here, before column \"b\". "
          + "Write an empty field where a value is absent."
      ),
      (
        "a,b\n1,2,3\n",
        "line 2, column 5: The record has 3 fields, the header has 2. The first field too many starts here. "
          + "Put a field that contains the delimiter in quotes."
      ),
      (
        "a,a\n",
        "line 1, column 3: The header has two columns with the name \"a\". Give every column its own name."
      ),
      (
        "a,\n",
        "line 1, column 3: Column 2 of the header has no name. "
          + "Give every column a name, and remove a delimiter at the end of the line."
      ),
      (
        "",
        "line 1, column 1: The input is empty. "
          + "Its first line should be the header with the names of the columns."
      ),
    ])
  func description(text: String, description: String) {
    let error = #expect(throws: CSVError.self) {
      let reader = try CSVReader(bytes: Array(text.utf8))
      _ = try reader.next()
    }
    #expect(error?.description == description)
  }

  @Test(
    "holds nothing of the data", arguments: ["secret\"", "\"secret", "\"secret\"x", "a,secret,c", "secretsecretsecret"])
  func holdsNoData(text: String) throws {
    let reader = try CSVReader(bytes: Array("a,b\n\(text)".utf8), maximumFieldSize: 10)
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.description.contains("secret") == false)
  }
}
