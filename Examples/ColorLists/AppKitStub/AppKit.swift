// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of AppKit that `clr` uses, so that its code for Apple's systems is type-checked elsewhere:
// scripts/check-appkit.sh. Nothing of it runs. Source: https://developer.apple.com/documentation/appkit/nscolorlist
@_exported import Foundation

public class NSColor: NSObject {
  public typealias Name = String

  public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}

public class NSColorList: NSObject {
  public typealias Name = String

  public init(name: NSColorList.Name) {}

  public func setColor(_ color: NSColor, forKey key: NSColor.Name) {}

  public func write(to url: URL?) throws {}
}
