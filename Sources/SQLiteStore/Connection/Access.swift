/// What is done with a connection.
enum Access {
  case read
  case write
}
