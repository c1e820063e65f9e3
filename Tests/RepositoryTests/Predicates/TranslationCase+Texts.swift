import Foundation
import Repository

extension TranslationCase {
  private static let text = "ab"

  static let texts: [TranslationCase] = [
    TranslationCase(
      "name.contains('ab')", #Predicate { $0.name.contains("ab") }, .contains(key: "name", value: "ab"),
      "name contains 'ab'"),
    TranslationCase(
      "name.contains(captured)", #Predicate { $0.name.contains(text) }, .contains(key: "name", value: "ab"),
      "name contains 'ab'"),
    TranslationCase(
      "name.contains('')", #Predicate { $0.name.contains("") }, .contains(key: "name", value: ""), "name contains ''"),
    TranslationCase(
      "'ab'.allSatisfy { name.contains($0) }", #Predicate { animal in text.allSatisfy { animal.name.contains($0) } },
      .contains(key: "name", value: "a") && .contains(key: "name", value: "b"),
      "name contains 'a' and name contains 'b'"),
    TranslationCase(
      "name.starts(with: 'ab')", #Predicate { $0.name.starts(with: "ab") }, .hasPrefix(key: "name", value: "ab"),
      "name starts with 'ab'"),
    TranslationCase(
      "name.starts(with: '')", #Predicate { $0.name.starts(with: "") }, .hasPrefix(key: "name", value: ""),
      "name starts with ''"),
    TranslationCase(
      "(nick ?? 'ab').contains('a')", #Predicate { ($0.nick ?? "ab").contains("a") },
      .contains(key: "nick", value: "a") || .isNull(key: "nick"), "nick contains 'a' or nick is null"),
    TranslationCase(
      "(nick ?? '').starts(with: 'a')", #Predicate { ($0.nick ?? "").starts(with: "a") },
      .hasPrefix(key: "nick", value: "a"), "nick starts with 'a'"),
    TranslationCase(
      "(nick ?? name).contains('a')", #Predicate { ($0.nick ?? $0.name).contains("a") },
      .contains(key: "nick", value: "a") || (.isNull(key: "nick") && .contains(key: "name", value: "a")),
      "nick contains 'a' or nick is null and name contains 'a'"),
    TranslationCase("name.isEmpty", #Predicate { $0.name.isEmpty }, .equal(key: "name", value: ""), "name = ''"),
    TranslationCase(
      "!name.isEmpty", #Predicate { !$0.name.isEmpty }, !.equal(key: "name", value: ""), "not name = ''"),
    TranslationCase(
      "photo.isEmpty", #Predicate { $0.photo.isEmpty }, .equal(key: "photo", value: [UInt8]()), "photo = x''"),
    TranslationCase(
      "(nick ?? '') == name", #Predicate { ($0.nick ?? "") == $0.name },
      (.isNotNull(key: "nick") && .equal(key: "nick", otherKey: "name"))
        || (.isNull(key: "nick") && .equal(key: "name", value: "")),
      "nick is not null and nick = name or nick is null and name = ''"),
  ]
}
