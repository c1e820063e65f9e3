public import Query

extension Repository {
  /// Fetches the elements that the query means and works the figures out of them.
  ///
  /// - Throws: as the requirement does, and ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` where
  ///   the elements are no model type with a schema.
  public func figures(_ request: FigureRequest) async throws(RepositoryError) -> [FigureRow] {
    // At run time, so that it serves repositories too that are generic over their elements.
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) works out no figures",
        suggestion: "implement figures(_:), or fetch the elements and work them out")
    }
    let table = try schema.table()
    let figures = try table.resolve(request)
    var rows: [[Value]] = []
    for element in try await findAll(FetchRequest(request.query)) {
      rows.append(try schema.row(from: element, in: table))
    }
    do throws(FigureError) {
      return try figures.rows(of: rows)
    } catch {
      throw RepositoryError(error)
    }
  }

  private static func schema<Model: Entity>(of type: Model.Type) -> Schema<Element>? {
    Model.schema as? Schema<Element>
  }
}
