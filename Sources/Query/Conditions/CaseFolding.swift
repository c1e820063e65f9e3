/// How text is compared where case is ignored: by Unicode's full case folding, in no locale.
///
/// Every store folds with this one function, so that "ignoring case" means the same everywhere: "STRASSE" equals
/// "straße", and the Turkish dotless "ı" stays different from "i". Composed and decomposed characters stay different.
package enum CaseFolding {
  /// Folds every Unicode scalar of a text; the result may have more scalars than the text.
  package static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // Upper case, then lower case is Unicode's folding (CaseFolding.txt, status C and F) but for these. Cherokee, whose
      // lower case is younger, folds to upper case.
      case 0x131: folded.unicodeScalars.append(scalar)
      case 0x1E9E: folded += "ss"
      case 0x13A0...0x13FD, 0xAB70...0xABBF: folded += scalar.properties.uppercaseMapping
      default:
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
          folded += upper.properties.lowercaseMapping
        }
      }
    }
    return folded
  }
}
