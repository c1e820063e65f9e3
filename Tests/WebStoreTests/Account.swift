import Repository
import WebStore

/// What the tests of a web store keep.
struct Account: Entity, Hashable {
  let id: Int
  var balance: Int

  static let schema = Schema("account", Account.init, Column("id", \.id), Column("balance", \.balance))
}

/// A transport that answers all requests alike.
struct Fixed: WebTransport {
  let response: WebResponse

  init(_ response: WebResponse) { self.response = response }

  func send(_ request: WebRequest) -> WebResponse { response }
}
