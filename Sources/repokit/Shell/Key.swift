/// Something that a person does at the keyboard of a terminal.
enum Key: Hashable {
  /// A piece of text: a character, or what an input method makes.
  case text(String)
  /// A text that was pasted as one, which may have several lines.
  case paste(String)
  /// A letter with the Control key, in lower case.
  case control(Character)
  /// A letter with the Alt key, in lower case.
  case alt(Character)
  case enter, tab, backspace, delete, escape
  case left, right, up, down, home, end, wordLeft, wordRight
  case wordBackspace
}
