import Foundation
import Query
import Repository
import RepositoryService
import TestSupport
import Testing

@Suite("The description of a service")
struct OpenAPITests {
  @Test("names what a route shows, and nothing else")
  func contents() async throws {
    let served = try await Served()
    let service = try served.service(
      Route("trainers", served.trainers).reading(\.id, \.name).writing(\.name, by: .update))
    let text = service.openAPI(title: "Trainers", version: "3")
    #expect(!text.contains("secret") && !text.contains("budget") && text.contains("\"title\":\"Trainers\""))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let paths = try #require(object?["paths"] as? [String: [String: Any]])
    #expect(
      paths.keys.filter { $0.hasPrefix("/trainers") }.sorted() == [
        "/trainers", "/trainers/{key1}", "/trainers:count", "/trainers:find",
      ])
    #expect(paths["/trainers"]?.keys.sorted() == ["get", "head"])
    #expect(paths["/trainers/{key1}"]?.keys.sorted() == ["get", "head", "patch"])
    #expect(try await service.answer("GET", "/openapi.json").status == 200)
  }

  @Test("names the items and fields that a request may have, and no others")
  func parameters() async throws {
    let served = try await Served()
    let service = try RepositoryService { Route("teams", served.teams).readingAll().writingAll().allowing(.all) }
    let object = try JSONSerialization.jsonObject(with: Data(service.openAPI().utf8)) as? [String: Any]
    let components = object?["components"] as? [String: [String: [String: Any]]]
    let schemas = try #require(components?["schemas"])
    let paths = try #require(object?["paths"] as? [String: [String: [String: Any]]])
    var (items, fields) = (0, 0)
    for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
      let target = path.replacing("{key1}", with: "1")
      for (method, operation) in operations.sorted(by: { $0.key < $1.key }) {
        let parameters = operation["parameters"] as? [[String: Any]] ?? []
        for case (let name as String, "query" as String) in parameters.map({ ($0["name"], $0["in"]) }) {
          let answer = try await service.answer(method.uppercased(), "\(target)?\(name)=%22", "{}")
          #expect(!answer.text.contains("unknown item"), "\(method) \(path) \(name): \(answer)")
          items += 1
        }
        let other = try await service.answer(method.uppercased(), "\(target)?other=1", "{}")
        #expect(other.status == 400 || method == "head", "\(method) \(path): \(other)")
        // The form of the body, by its name.
        let content = (operation["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]]
        let reference = (content?["application/json"]?["schema"] as? [String: Any])?["$ref"] as? String
        guard path.contains(":"), let name = reference?.split(separator: "/").last else { continue }
        let form = try #require(schemas[String(name)]?["properties"] as? [String: Any], "\(method) \(path)")
        #expect(!form.isEmpty)
        for field in form.keys.sorted() {
          let version = form["version"] == nil || field == "version" ? "" : #""version":1,"#
          let answer = try await service.answer("POST", target, #"{\#(version)"\#(field)":[[]]}"#)
          #expect(answer.status == 400 && !answer.text.contains("has no field"), "\(path) \(field): \(answer)")
          #expect(!answer.text.contains("unknown field"), "\(path) \(field): \(answer)")
          fields += 1
        }
        let answer = try await service.answer("POST", target, #"{"version":1,"other":1}"#)
        #expect(answer.text.contains(" no field ") || answer.text.contains("unknown field"), "\(path): \(answer)")
      }
    }
    #expect(items > 20 && fields > 30)
  }

  /// An element with a key of several types.
  private struct Sample: Entity, Hashable {
    struct ID: PrimaryKey {
      let series: String
      let depth: Double
      let number: Int
      func keyValues() -> [Value] { [.text(series), .real(depth), .integer(Int64(number))] }
    }

    let series: String
    let depth: Double
    let number: Int
    var id: ID { ID(series: series, depth: depth, number: number) }

    static let schema = Schema(
      "sample", Sample.init, Column("series", \.series, .primaryKey), Column("depth", \.depth, .primaryKey),
      Column("number", \.number, .primaryKey))
  }

  @Test("names the columns of a key with their types, and the versions that each method may name")
  func key() async throws {
    let samples = try MemoryStore().repository(of: Sample.self)
    let service = try RepositoryService { Route("samples", samples).readingAll().writingAll().allowing(.all) }
    let object = try JSONSerialization.jsonObject(with: Data(service.openAPI().utf8)) as? [String: Any]
    let paths = try #require(object?["paths"] as? [String: [String: [String: Any]]])
    let operations = try #require(paths["/samples/{key1}/{key2}/{key3}"])
    var preconditions: [String: String] = [:]
    for (method, operation) in operations {
      let parameters = try #require(operation["parameters"] as? [[String: Any]])
      let keys = parameters.filter { $0["in"] as? String == "path" }.map { parameter in
        let type = (parameter["schema"] as? [String: Any])?["type"] as? String
        return [parameter["name"] as? String, parameter["description"] as? String, type]
      }
      #expect(keys == [["key1", "series", "string"], ["key2", "depth", "number"], ["key3", "number", "integer"]])
      let names = parameters.filter { $0["in"] as? String == "header" }.compactMap { $0["name"] as? String }
      preconditions[method] = names.filter { $0.hasPrefix("If-") }.joined(separator: " ")
      let responses = try #require(operation["responses"] as? [String: Any])
      #expect((responses["304"] != nil) == ["get", "head"].contains(method), "\(method)")
    }
    #expect(
      preconditions == [
        "get": "If-None-Match", "head": "If-None-Match", "put": "If-Match", "patch": "If-Match", "delete": "If-Match",
      ])
  }

  @Test("is one of OpenAPI 3.1, as a validator says", .enabled(if: OpenAPITests.validator != nil))
  func valid() async throws {
    let served = try await Served()
    let folder = try TemporaryFolder()
    let services = [
      try served.service(),
      try served.service(served.route.writing(\.name, by: [.update])),
      try RepositoryService { Route("teams", served.teams).readingAll().writingAll().allowing(.all) },
    ]
    for (index, service) in services.enumerated() {
      let path = folder.path("\(index).json")
      try Data(service.openAPI().utf8).write(to: URL(filePath: path))
      try await OwnThread.run {
        let process = Process()
        process.executableURL = URL(filePath: Self.validator ?? "")
        process.arguments = ["-m", "openapi_spec_validator", path]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
      }
    }
  }

  /// The Python that has the validator: `make test` installs it where it can. Without it the test is left out.
  private static let validator: String? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let path = root.appending(path: ".build/openapi/bin/python").path()
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
