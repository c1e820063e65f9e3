import WebRepositoryFormat

/// The resource of a route that an address names: its collection, an element or an operation.
enum RouteResource {
  case collection
  /// An element, by the segments of its key.
  case element([String])
  case verb(Verb)

  /// Returns the methods of the resource.
  func methods(of route: RouteHandler) -> [String] {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter { method in
      writes(by: method).map(route.writes.isSuperset) ?? false
    }
  }

  /// Returns the operations of a method that writes; `nil` if there is no such method.
  func writes(by method: String) -> WriteOperations? {
    switch (self, method) {
    case (.collection, "GET"), (.collection, "HEAD"), (.element, "GET"), (.element, "HEAD"): []
    case (.verb(.count), "GET"), (.verb(.count), "HEAD"), (.verb(.liveResults), "GET"), (.verb(.liveResults), "HEAD"):
      []
    case (.verb(.count), "POST"), (.verb(.liveResults), "POST"): []
    case (.verb(.find), "POST"), (.verb(.aggregate), "POST"), (.verb(.project), "POST"): []
    case (.collection, "POST"): .insert
    case (.collection, "PUT"), (.element, "PUT"): .save
    case (.element, "PATCH"): .update
    case (.element, "DELETE"): .delete
    case (.verb(.update), "POST"): .updateByQuery
    case (.verb(.delete), "POST"): .deleteByQuery
    default: nil
    }
  }
}
