#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// The idle objects of a pool, acquired and released without a lock.
///
/// Each idle object is in a slot, of which there are as many as objects. A thread always tries the same slot first, so that
/// threads on several cores rarely touch the same memory: with one lock for all, eight readers took 14 times as long as without
/// one.
final class IdleObjects: @unchecked Sendable {
  typealias Object = ObjectPool.Object

  private let capacity: Int
  /// The object in each slot, as its number plus one; 0 for none.
  private let slots: UnsafeMutablePointer<Atomic<Int>>
  /// The objects by their numbers. An element is written once, before its number is in any slot; the holder of an object
  /// also sees those with lower numbers, since they were registered before under the pool's lock.
  private let objects: UnsafeMutablePointer<Object?>
  /// The distance of slots in words, so that no two share a cache line.
  private static let stride = 16

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity * Self.stride)
    for index in 0..<capacity * Self.stride { (slots + index).initialize(to: Atomic(0)) }
    objects = .allocate(capacity: capacity)
    objects.initialize(repeating: nil, count: capacity)
  }

  deinit {
    slots.deinitialize(count: capacity * Self.stride)
    slots.deallocate()
    objects.deinitialize(count: capacity)
    objects.deallocate()
  }

  /// Registers an object, which is in use until it is released.
  ///
  /// - Parameter number: its number, which is unique.
  func register(_ object: Object, as number: Int) { objects[number] = object }

  /// Acquires an object; `nil` if all are in use.
  func pop() -> Object? {
    let first = home
    for offset in 0..<capacity {
      let slot = slot(first + offset)
      // Sequentially consistent with waiters that enter the queue, and with releases: see ObjectPool.
      guard slot.pointee.load(ordering: .sequentiallyConsistent) != 0 else { continue }
      let number = slot.pointee.exchange(0, ordering: .sequentiallyConsistent)
      if number != 0 { return objects[number - 1] }
    }
    return nil
  }

  /// Releases an object, which has to be registered and in use.
  func release(_ object: Object) {
    guard let number = (0..<capacity).first(where: { objects[$0] === object }) else {
      return assertionFailure("the pool has no such object")
    }
    let first = home
    // There are as many slots as objects, so one of them is free.
    for offset in 0..<capacity {
      let (isFree, _) = slot(first + offset).pointee.compareExchange(
        expected: 0, desired: number + 1, ordering: .sequentiallyConsistent)
      if isFree { return }
    }
  }

  /// Returns the first object that a closure accepts, idle or not.
  func first(where picks: (Object) -> Bool, among count: Int) -> Object? {
    (0..<count).lazy.compactMap { self.objects[$0] }.first(where: picks)
  }

  /// The slot that this thread tries first.
  private var home: Int {
    // Threads' numbers are addresses, whose high and low bits hardly differ. The factor is 2^64 divided by the golden ratio.
    Int(truncatingIfNeeded: (UInt64(CurrentThread.number) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  private func slot(_ number: Int) -> UnsafeMutablePointer<Atomic<Int>> { slots + number % capacity * Self.stride }
}

/// The current thread.
package enum CurrentThread {
  /// A number, never 0, that no other thread has at the same time.
  package static var number: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
