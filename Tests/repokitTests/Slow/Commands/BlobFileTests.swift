import Testing

@Suite("Bytes of files are values")
struct BlobFileTests {
  @Test("from a file into a column, and out of it again")
  func roundTrip() async throws {
    let workshop = try Workshop()
    try workshop.execute("p.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, photo BLOB)")
    let made = try await workshop.shell("head -c 200000 /dev/urandom > face.png; cat face.png face.png > large.png")
    #expect(made.status == 0)
    let inserted = try await workshop.run(["insert", "p.sqlite", "t", "name=@ann", "photo=@face.png", "--yes"])
    #expect(inserted.status == 0, "\(inserted.messages)")
    #expect(try await workshop.run(["set", "p.sqlite", "t", "id = 1", "photo=@large.png", "--yes"]).status == 0)
    let outcome = try await workshop.shell(
      """
      "$repokit" query p.sqlite t "id = 1" --columns photo --format raw | cmp - large.png && \
      "$repokit" export p.sqlite t "id = 1" out.png --columns photo --format raw && cmp out.png large.png
      """)
    #expect(outcome.status == 0, "\(outcome)")
    // A text of a column of texts is what it is.
    #expect(try await workshop.lines("t", "name") == ["@ann"])
  }

  @Test("that is not there is no value")
  func missing() async throws {
    let workshop = try Workshop()
    try workshop.execute("p.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, photo BLOB)")
    let outcome = try await workshop.runUnchanged(["insert", "p.sqlite", "t", "photo=@nothing.png", "--yes"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("is a file that repokit can't read: no such file or directory"), "\(outcome)")
    #expect(try await workshop.shell("truncate -s 1100000000 large").status == 0)
    let large = try await workshop.runUnchanged(["insert", "p.sqlite", "t", "photo=@large", "--yes"])
    #expect(large.messages.contains("repokit can't read: large is larger than the size limit of a value\n"), "\(large)")
  }
}
