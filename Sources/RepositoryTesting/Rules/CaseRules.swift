import Query
import Repository

/// Text operators that ignore case fold all of Unicode, in no locale.
enum CaseRules {
  static let all: [SpecimenRule] = [
    SpecimenRule(
      "ignoring case, letters beyond ASCII are the same in upper and lower case",
      among: Specimen.series(\.name, "Äpfel", "äPFEL", "ÄPFEL", "Apfel", "Яблоко", "яБЛОКО")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "ÄPF", ignoringCase: true), finds: 1, 2, 3)
      await trial.expect(.hasPrefix(key: "name", value: "ä", ignoringCase: true), finds: 1, 2, 3)
      await trial.expect(.hasSuffix(key: "name", value: "pFeL", ignoringCase: true), finds: 1, 2, 3, 4)
      await trial.expect(.like(key: "name", value: "яблоко", ignoringCase: true), finds: 5, 6)
      await trial.expect(!.contains(key: "name", value: "ÄPF", ignoringCase: true), finds: 4, 5, 6)
    },
    SpecimenRule(
      "ignoring case, STRASSE and straße are the same",
      among: Specimen.series(\.name, "straße", "Strasse", "STRASSE 5", "strase", "STRAẞE")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "STRASSE", ignoringCase: true), finds: 1, 2, 3, 5)
      await trial.expect(.hasPrefix(key: "name", value: "straße", ignoringCase: true), finds: 1, 2, 3, 5)
      await trial.expect(.hasSuffix(key: "name", value: "SSE", ignoringCase: true), finds: 1, 2, 5)
      await trial.expect(.like(key: "name", value: "straße", ignoringCase: true), finds: 1, 2, 5)
      // `_` stands for one scalar of the folded text.
      await trial.expect(.like(key: "name", value: "stra__e", ignoringCase: true), finds: 1, 2, 5)
      await trial.expect(.like(key: "name", value: "stra_e", ignoringCase: true), finds: 4)
      await trial.expect(.contains(key: "name", value: "STRASSE"), finds: 3)
    },
    SpecimenRule(
      "ignoring case, all forms of a letter are the same",
      among: Specimen.series(\.name, "ΣΟΦΟΣ", "σοφος", "σοφοσ", "\u{212A}", "K", "k", "ﬁ", "FI")
    ) { trial in
      await trial.expect(.like(key: "name", value: "Σοφος", ignoringCase: true), finds: 1, 2, 3)
      await trial.expect(.like(key: "name", value: "k", ignoringCase: true), finds: 4, 5, 6)
      await trial.expect(.like(key: "name", value: "Fi", ignoringCase: true), finds: 7, 8)
    },
    SpecimenRule(
      "ignoring case, no locale takes part: the dotless ı is no i", among: Specimen.series(\.name, "i", "I", "ı", "İ")
    ) { trial in
      await trial.expect(.like(key: "name", value: "I", ignoringCase: true), finds: 1, 2)
      await trial.expect(.like(key: "name", value: "ı", ignoringCase: true), finds: 3)
      await trial.expect(.like(key: "name", value: "i\u{307}", ignoringCase: true), finds: 4)
    },
    SpecimenRule(
      "ignoring case, composed and decomposed characters stay different",
      among: Specimen.series(\.name, "é", "É", "e\u{301}", "E\u{301}")
    ) { trial in
      await trial.expect(.like(key: "name", value: "É", ignoringCase: true), finds: 1, 2)
      await trial.expect(.contains(key: "name", value: "E\u{301}", ignoringCase: true), finds: 3, 4)
      await trial.expect(.hasPrefix(key: "name", value: "E", ignoringCase: true), finds: 3, 4)
    },
    SpecimenRule(
      "ignoring case, wildcards and escapes keep their meaning", among: Specimen.series(\.name, "A%", "aB", "A_", "ax_")
    ) { trial in
      await trial.expect(.like(key: "name", value: "a\\%", ignoringCase: true), finds: 1)
      await trial.expect(.like(key: "name", value: "A_", ignoringCase: true), finds: 1, 2, 3)
      await trial.expect(.like(key: "name", value: "A%\\_", ignoringCase: true), finds: 3, 4)
    },
  ]
}
