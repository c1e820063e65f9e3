import Query
import Repository
import WebRepositoryFormat

/// The version of an answer's body, or of one element, as HTTP names it: a strong entity tag (RFC 9110, section 8.8.3).
struct EntityTag {
  /// The tag in quotes, as the field `ETag` has it.
  let text: String

  /// Makes the tag of a body: a digest of its bytes.
  init(of body: [UInt8]) { text = "\"\(ContentHash.text(of: body))\"" }

  /// Returns whether a field such as `If-Match` names this version (RFC 9110, section 13.1).
  ///
  /// - Parameter weakly: whether a weak tag, `W/"…"`, of the same text is this version, too.
  func isNamed(in field: String?, weakly: Bool = false) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { part in
      // Optional white space is blanks and tabs (RFC 9110, section 5.6.3).
      var part = part.drop { $0 == " " || $0 == "\t" }
      while part.last == " " || part.last == "\t" { part = part.dropLast() }
      if weakly, part.hasPrefix("W/") { part = part.dropFirst(2) }
      return part == "*" || part == text
    }
  }
}

extension Exchange {
  /// Whether the version of an element is read before it is written.
  var namesVersion: Bool { request.headers["If-Match"] != nil || request.headers["If-None-Match"] != nil }

  /// Throws if an element no longer has the version that the request names.
  func checkVersion(_ key: [Value]) async throws(Refusal) {
    if !namesVersion { return }
    let (wanted, unwanted) = (request.headers["If-Match"], request.headers["If-None-Match"])
    let tag = try await visibleRow(key).map { EntityTag(of: json($0)) }
    let isOther = wanted != nil && tag?.isNamed(in: wanted) != true
    if isOther || tag?.isNamed(in: unwanted, weakly: true) == true {
      throw Refusal(
        RepositoryError(
          .changedMeanwhile, "the element has another version", reason: "the element was changed or deleted meanwhile",
          suggestion: "find the element again, and repeat the change"))
    }
  }
}
