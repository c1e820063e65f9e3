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
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let path = root.appending(path: ".build/openapi/bin/python").path()
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
