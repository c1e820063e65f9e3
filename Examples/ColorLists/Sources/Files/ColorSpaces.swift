import Foundation

extension Color {
  /// Red, green, blue and opacity, each from 0 to 1.
  var channels: [Double] { [red, green, blue, alpha].map { Double($0) / 255 } }

  /// Of channels of sRGB from 0 to 1, which may lack the opacity.
  init(channels: [Double]) {
    let bytes = channels.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
    self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count > 3 ? bytes[3] : 255)
  }

  /// What NSColor keeps: the number of its color space, and the channels there with the opacity, if it is said.
  init?(space: Int, channels: [Double]) {
    let count = [1: 3, 2: 3, 3: 1, 4: 1, 5: 4][space] ?? .max
    guard channels.count >= count, channels.allSatisfy(\.isFinite) else { return nil }
    let opacity = channels.count > count ? channels[count] : 1
    switch space {
    case 1: self.init(channels: GenericRGB.sRGB(Array(channels[..<3])) + [opacity])
    case 2: self.init(channels: channels[..<3] + [opacity])
    // Gray: of the calibrated one's gamma the stream tells nothing, and since Mac OS X 10.6 it is that of sRGB.
    case 3, 4: self.init(channels: [channels[0], channels[0], channels[0], opacity])
    // Ink, whose profile the file does not hold either.
    default: self.init(channels: channels[..<3].map { (1 - $0) * (1 - channels[3]) } + [opacity])
    }
  }
}

/// The calibrated colors of NSColor before it knew sRGB: Apple's "Generic RGB Profile", whose gamma is 1.8.
///
/// The matrix leads from its primaries to those of sRGB, both as their profiles tell them for D50; its rows are normalized,
/// so that white stays white.
enum GenericRGB {
  private static let toSRGB = [
    [1.02525, -0.02656, 0.00131], [0.01941, 0.94800, 0.03259], [-0.00176, -0.00144, 1.00320],
  ]
  private static let fromSRGB = [
    [0.97485, 0.02731, -0.00216], [-0.02002, 1.05424, -0.03422], [0.00168, 0.00156, 0.99676],
  ]

  /// The channels of sRGB, each from 0 to 1.
  static func sRGB(_ channels: [Double]) -> [Double] {
    product(toSRGB, channels.map { pow(min(max($0, 0), 1), 1.8) }).map {
      $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055
    }
  }

  /// The channels of a color of sRGB, each from 0 to 1.
  static func channels(sRGB: [Double]) -> [Double] {
    product(fromSRGB, sRGB.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }).map { pow($0, 1 / 1.8) }
  }

  private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in min(max(zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1) }
  }
}
