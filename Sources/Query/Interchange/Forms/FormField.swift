/// The names of the fields that a form may have.
///
/// Each is one word in lower case, because an encoder may be told to write names in another case.
enum FormField: String {
  case version
  // A document.
  case query, sort, limit, offset, after, before
  // A join or a negation.
  case and, or, not
  // A condition.
  case key, op, value, values, lower, upper, ignoring
  // A term of a sort.
  case direction, nulls
  // A value that JSON has no form for.
  case real, blob
}
