import Query
import Repository
import RepositoryService
import Testing

@Suite("A route of elements without keys")
struct KeylessRouteTests {
  private let lines: AnyRepository<Record>
  private let schema: Schema<Record>
  private let service: RepositoryService

  init() async throws {
    let store = MemoryStore()
    let table = try TableSchema(
      "log", columns: [ColumnSchema("level", .integer), ColumnSchema("text", .text, isNullable: true)], primaryKey: [])
    let schema = Schema<Record>(table)
    let lines = try store.repository(schema)
    (self.lines, self.schema) = (lines, schema)
    _ = try await lines.insert([Record(["level": 1, "text": "a"], for: table), Record(["level": 2], for: table)])
    service = try RepositoryService(transactionsIn: store) {
      Route("log", lines, schema: schema).readingAll().writingAll().allowing(.all)
      // One whose condition makes it look at what is there before it writes.
      Route("own", lines, schema: schema).readingAll().writingAll().allowing(.all).authorizing { _ in
        .equal(key: "level", value: 1)
      }
    }
  }

  @Test(
    "refuses what would name one of them, and writes the others",
    arguments: [
      ("POST", "/log:delete", #"{"keys":[]}"#, 422), ("POST", "/log:delete", #"{"keys":["[]"]}"#, 422),
      ("POST", "/log:delete", #"{"keys":["[1]"]}"#, 422), ("POST", "/own:delete", #"{"keys":[]}"#, 422),
      ("PUT", "/log", #"[{"level":3}]"#, 422), ("PUT", "/log", #"{"level":3}"#, 422),
      ("PUT", "/own", #"[{"level":1,"text":"b"}]"#, 422), ("PUT", "/own", "[]", 422), ("GET", "/log/1", "", 404),
      ("PUT", "/log/1", #"{"level":3}"#, 404), ("PATCH", "/log/1", #"{"level":3}"#, 404), ("DELETE", "/log/1", "", 404),
    ])
  func refusals(_ method: String, _ target: String, _ body: String, _ status: Int) async throws {
    let answer = try await service.answer(method, target, body)
    #expect(answer.status == status, "\(answer)")
    if status == 422 {
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(answer.text.contains("the elements have no keys") && answer.text.contains("suggestion"), "\(answer)")
    }
    #expect(try await lines.count() == 2)
  }

  @Test(
    "takes what needs no key",
    arguments: [
      ("POST", "/log", #"{"level":3}"#, 201, 3), ("POST", "/log", #"[{"level":3},{"level":3}]"#, 201, 4),
      ("PUT", "/log", #"[{"level":3,"text":null}]"#, 200, 3),
      ("POST", "/log:delete", #"{"where":{"version":1,"query":true}}"#, 200, 0), ("GET", "/log", "", 200, 2),
      ("POST", "/own", #"{"level":1}"#, 201, 3), ("POST", "/own", #"{"level":2}"#, 403, 2),
      ("POST", "/own:delete", #"{"where":{"version":1,"query":true}}"#, 200, 1),
    ])
  func writes(_ method: String, _ target: String, _ body: String, _ status: Int, _ count: Int) async throws {
    let answer = try await service.answer(method, target, body)
    #expect(answer.status == status, "\(answer)")
    #expect(answer.headers["Location"] == nil)
    #expect(try await lines.count() == count)
  }

  @Test("is described without addresses of elements")
  func description() {
    let text = service.openAPI()
    #expect(text.contains(#""get /log""#) && text.contains(#""post /log""#))
    #expect(!text.contains(#""patch /log""#))
  }
}
