import Foundation
import TestSupport
import Testing

/// Account statements in the layouts in which banks export them: titles, totals, encodings, dates and numbers of many countries.
@Suite("Statements of banks become tables by the options that the messages name", .tags(.slow))
struct BankStatementTests {
  struct Statement: Sendable, CustomTestStringConvertible {
    let bank: String
    let header: String
    /// The row of a day of January 2024.
    let row: @Sendable (Int) -> String
    var end = ""
    var encoding: String.Encoding = .utf8
    /// The columns of the table and their types.
    let table: String
    /// The query of the last day, and its row.
    let query: String
    let found: String
    var testDescription: String { bank }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static let statements = [
    Statement(
      bank: "Sparkasse",
      header: "\"Auftragskonto\";\"Buchungstag\";\"Verwendungszweck\";\"Betrag\";\"Waehrung\"\r\n",
      row: { "\"DE12500105170648489890\";\"\(two($0)).01.24\";\"Müller Miete \($0)\";\"-\($0)50,5\";\"EUR\"\r\n" },
      encoding: .isoLatin1,
      table: "Auftragskonto text, Buchungstag text, Verwendungszweck text, Betrag real, Waehrung text",
      query: "Buchungstag = '2024-01-20'", found: "DE12500105170648489890,2024-01-20,Müller Miete 20,-2050.5,EUR"),
    Statement(
      bank: "DKB",
      header: "\"Girokonto\";\"DE12 1203 0000\"\n\"\"\n\"Kontostand vom 01.02.2024:\";\"1.234,56 €\"\n\"\"\n"
        + "\"Buchungsdatum\";\"Status\";\"Zahlungsempfänger*in\";\"Betrag (€)\"\n",
      row: { "\"\(two($0)).01.24\";\"Gebucht\";\"REWE\";\"-1.0\(two($0)),5\"\n" },
      table: "Buchungsdatum text, Status text, Zahlungsempfänger*in text, Betrag (€) real",
      query: "Buchungsdatum = '2024-01-20'", found: "2024-01-20,Gebucht,REWE,-1020.5"),
    Statement(
      bank: "ING",
      header:
        "Umsatzanzeige;Datei erstellt am: 01.02.2024 10:00\n\nIBAN;DE12 5001\nKunde;Max Müller\nSaldo;1.234,56;EUR\n\n"
        + "In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.\n\nBuchung;Buchungstext;Saldo;Währung;Betrag;Währung\n",
      row: { "\(two($0)).01.2024;Lastschrift;1.2\(two($0)),56;EUR;-\($0),50;EUR\n" }, encoding: .isoLatin1,
      table: "Buchung text, Buchungstext text, Saldo real, Währung text, Betrag real, Währung_2 text",
      query: "Buchung = '2024-01-20'", found: "2024-01-20,Lastschrift,1220.56,EUR,-20.5,EUR"),
    Statement(
      bank: "PostFinance",
      header: "Datum von:;=\"2024-01-01\"\nDatum bis:;=\"2024-01-31\"\nWährung:;=\"CHF\"\n\n"
        + "Datum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF\n",
      row: { "2024-01-\(two($0));\"Kauf \($0)\";;-\($0).25\n" },
      end: "\nDisclaimer:\nDies ist kein durch PostFinance AG erstelltes Dokument.\n",
      table: "Datum text, Avisierungstext text, Gutschrift in CHF text, Lastschrift in CHF real",
      query: "Datum = '2024-01-20'", found: "2024-01-20,Kauf 20,,-20.25"),
    Statement(
      bank: "Crédit Agricole",
      header:
        "Téléchargement du 01/02/2024;\n\nM. MARTIN JEAN\nCompte de Dépôt n° 123;\nSolde au 31/01/2024 1 234,56 €\n\n"
        + "Date;Libellé;Débit euros;Crédit euros;\n",
      row: { "\(two($0))/01/2024;\"PAIEMENT PAR CARTE\nCarrefour \($0)\";1 0\(two($0)),50;;\n" },
      encoding: .windowsCP1252,
      table: "Date text, Libellé text, Débit euros real, Crédit euros text, column5 text",
      query: "Date = '2024-01-20'", found: "2024-01-20,\"PAIEMENT PAR CARTE\nCarrefour 20\",1020.5,,"),
    Statement(
      bank: "mBank",
      header:
        "mBank S.A. Bankowość Detaliczna;\n90-959 Łódź 2;\n\n#Klient;\nJAN KOWALSKI;\n\n#Waluta;#Wpływy;#Wydatki;\n"
        + "PLN;100,00;-200,00;\n\n#Data operacji;#Opis operacji;#Kategoria;#Kwota;\n",
      row: { "2024-01-\(two($0));\"ZAKUP \($0)\";\"Żywność\";\"-1 0\(two($0)),50 PLN\";\n" }, encoding: .windowsCP1250,
      table: "#Data operacji text, #Opis operacji text, #Kategoria text, #Kwota real, column5 text",
      query: "\"#Data operacji\" = '2024-01-20'", found: "2024-01-20,ZAKUP 20,Żywność,-1020.5,"),
    Statement(
      bank: "Nubank", header: "Data,Valor,Identificador,Descrição\n",
      row: { "\(two($0))/01/2024,-\($0)2.25,65a\($0),Transferência enviada\n" },
      table: "Data text, Valor real, Identificador text, Descrição text",
      query: "Data = '2024-01-20'", found: "2024-01-20,-202.25,65a20,Transferência enviada"),
    Statement(
      bank: "Monzo", header: "Transaction ID,Date,Time,Name,Emoji,Amount,Currency,Notes and #tags,Address\n",
      row: { "tx_\($0),\(two($0))/01/2024,12:00:00,Tesco,🍏,-\($0).50,GBP,,\"1 High St, London\"\n" },
      table: "Transaction ID text, Date text, Time text, Name text, Emoji text, Amount real, Currency text, "
        + "Notes and #tags text, Address text",
      query: "Date = '2024-01-20'", found: "tx_20,2024-01-20,12:00:00,Tesco,🍏,-20.5,GBP,,\"1 High St, London\""),
    Statement(
      bank: "Chase", header: "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n",
      row: { "DEBIT,01/\(two($0))/2024,\"ORIG CO\",-\($0).25,ACH_DEBIT,\(1000 + $0).5,,\n" },
      table:
        "Details text, Posting Date text, Description text, Amount real, Type text, Balance real, Check or Slip # text",
      query: "\"Posting Date\" = '2024-01-20'", found: "DEBIT,2024-01-20,ORIG CO,-20.25,ACH_DEBIT,1020.5,"),
    Statement(
      bank: "Bank of America",
      header:
        "Description,,Summary Amt.\nBeginning balance as of 01/01/2024,,\"1,234.56\"\nTotal credits,,\"100.00\"\n\n"
        + "Date,Description,Amount,Running Bal.\n",
      row: { "01/\(two($0))/2024,\"CHECKCARD\",\"-\($0).50\",\"1,\(100 + $0).5\"\n" },
      table: "Date text, Description text, Amount real, Running Bal. real",
      query: "Date = '2024-01-20'", found: "2024-01-20,CHECKCARD,-20.5,1120.5"),
    Statement(
      bank: "HDFC",
      header: "\n HDFC BANK Ltd.\n Statement of account\n********************\n"
        + "  Date     ,Narration     ,Debit Amount   ,Closing Balance\n",
      row: { " \(two($0))/01/24  ,UPI-ZOMATO    ,         \($0).50 ,       \(1000 + $0).5\n" },
      table: "Date text, Narration text, Debit Amount real, Closing Balance real",
      query: "Date = '2024-01-20'", found: "2024-01-20,UPI-ZOMATO,20.5,1020.5"),
    Statement(
      bank: "SMBC", header: "\"年月日\",\"お引出し\",\"お預入れ\",\"お取り扱い内容\",\"残高\"\r\n",
      row: { "\"2024/1/\($0)\",\($0)00,,\"カード\",\(100_000 - $0)\r\n" }, encoding: .shiftJIS,
      table: "年月日 text, お引出し integer, お預入れ text, お取り扱い内容 text, 残高 integer",
      query: "年月日 = '2024-01-20'", found: "2024-01-20,2000,,カード,99980"),
    Statement(
      bank: "PayPal", header: "\u{FEFF}\"Date\",\"Time\",\"Name\",\"Currency\",\"Gross\",\"Fee\"\n",
      row: { "\"\(two($0))/01/2024\",\"12:00:00\",\"Shop\",\"EUR\",\"-1,0\(two($0)).50\",\"0.00\"\n" },
      table: "Date text, Time text, Name text, Currency text, Gross real, Fee real",
      query: "Date = '2024-01-20'", found: "2024-01-20,12:00:00,Shop,EUR,-1020.5,0.0"),
    Statement(
      bank: "Stripe", header: "id,Type,Amount,Fee,Currency,Created (UTC),Description\n",
      row: { "txn_\($0),charge,\($0).50,0.30,usd,2024-01-\(two($0)) 12:34,\"Sub, \($0)\"\n" },
      table: "id text, Type text, Amount real, Fee real, Currency text, Created (UTC) text, Description text",
      query: "day(\"Created (UTC)\") = 20 or id = 'txn_20'",
      found: "txn_20,charge,20.5,0.3,usd,2024-01-20 12:34,\"Sub, 20\""),
    Statement(
      bank: "a spreadsheet", header: "Date\tText\tAmount\n", row: { "2024-01-\(two($0))\tkäse \($0)\t\($0).5\n" },
      encoding: .utf16, table: "Date text, Text text, Amount real", query: "Date = '2024-01-20'",
      found: "2024-01-20,käse 20,20.5"),
  ]

  @Test("in at most three commands", arguments: statements)
  func statement(_ statement: Statement) async throws {
    let workshop = try Workshop()
    let text = statement.header + (9...20).map(statement.row).joined() + statement.end
    try workshop.write([UInt8](try #require(text.data(using: statement.encoding))), to: "a.csv")
    var options: [String] = []
    var outcome = try await workshop.run(["import", "b.sqlite", "t", "a.csv"])
    for _ in 1...2 {
      let more = Self.suggested(by: outcome.messages).filter { !options.contains($0[0]) }
      if more.isEmpty { break }
      options += more.flatMap(\.self)
      outcome = try await workshop.run(["import", "b.sqlite", "t", "a.csv", "--replace"] + options)
    }
    #expect(outcome.messages.contains("imported 12 rows into t (new table: \(statement.table)"), "\(outcome.messages)")
    #expect(Self.suggested(by: outcome.messages).isEmpty, "\(outcome.messages)")
    let rows = try await workshop.run(["query", "b.sqlite", "t", statement.query, "--format", "csv"])
    #expect(rows.output.hasSuffix("\n\(statement.found)\n"), "\(rows)")
  }

  /// Returns the options that messages name, as a user takes them: each with its value.
  private static func suggested(by messages: String) -> [[String]] {
    var options: [[String]] = []
    func take(_ text: Substring) {
      var words = text.split(separator: " ").map { $0.filter { $0 != "'" } }[...]
      while let name = words.popFirst() {
        let value = words.first.map { $0.hasPrefix("--") } == false ? words.popFirst() : nil
        if !options.contains(where: { $0[0] == name }) { options.append([name] + [value].compactMap(\.self)) }
      }
    }
    for line in messages.split(separator: "\n") {
      let verbs = [" skips ", " probably reads ", " names ", " accepts ", " removes "]
      if line.hasPrefix("  --"), let verb = verbs.compactMap({ line.firstRange(of: $0)?.lowerBound }).min() {
        take(line.dropFirst(2)[..<verb])
      } else if line.hasPrefix("note: "), let start = line.firstRange(of: "; --"),
        let end = [" reads the ", " removes "].compactMap({ line.firstRange(of: $0) }).first
      {
        // Of several options that would do, the first; `with` joins two.
        let advice = line[start.upperBound...].prefix(upTo: end.lowerBound)
        take("--" + Substring(advice.split(separator: " or ")[0].replacing(" with ", with: " ")))
      }
    }
    return options
  }
}
