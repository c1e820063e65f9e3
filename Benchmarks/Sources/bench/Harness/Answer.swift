import Model

/// What a contender found. It is consumed after the clock was stopped, so that reading it costs nobody anything.
struct Answer {
  private let feed: (inout Digest) throws -> Void

  init(_ feed: @escaping (inout Digest) throws -> Void) {
    self.feed = feed
  }

  init(_ list: [Pokemon]) {
    self.init { digest in
      digest.feed(list.count)
      for pokemon in list { digest.feed(pokemon) }
    }
  }

  init(_ lists: [[Pokemon]]) {
    self.init { digest in
      for list in lists {
        digest.feed(list.count)
        for pokemon in list { digest.feed(pokemon) }
      }
    }
  }

  init(_ numbers: [Int]) {
    self.init { digest in
      for number in numbers { digest.feed(number) }
    }
  }

  func digest() throws -> Digest {
    var digest = Digest()
    try feed(&digest)
    return digest
  }
}
