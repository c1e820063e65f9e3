@testable import SQLInspection
import Testing

@Suite("Dates that are written in another order")
struct DateOrderTests {
  static let cases: [(order: DateOrder, text: String, result: DateOrder.ReadResult)] = [
    (.dmy, "31.12.2024", .date("2024-12-31")), (.dmy, "1/2/2024", .date("2024-02-01")),
    (.dmy, "05.03.24", .date("2024-03-05")), (.dmy, "05.03.98", .date("1998-03-05")),
    (.dmy, "31.12.2024 8:05", .date("2024-12-31 08:05")), (.dmy, "31-12-2024 18:05:09", .date("2024-12-31 18:05:09")),
    (.mdy, "12/31/2024", .date("2024-12-31")), (.mdy, "3/5/2024 12:00:01 AM", .date("2024-03-05 00:00:01")),
    (.mdy, "3/5/2024 1:30 pm", .date("2024-03-05 13:30")), (.ymd, "2024/3/5", .date("2024-03-05")),
    (.mdy, "31/12/2024", .otherOrder), (.dmy, "12/31/2024", .otherOrder), (.dmy, "30.02.2024", .otherOrder),
    (.dmy, "2024-12-31", .other), (.dmy, "2024-12-31 10:00", .other), (.dmy, "1.2.3", .other),
    (.dmy, "10.0.19", .other), (.dmy, "123-45-6789", .other), (.mdy, "123-45-6789", .other),
    (.ymd, "123-45-6789", .other), (.dmy, "31.12.20245", .other),
    (.dmy, "192.168.10.1", .other), (.dmy, "31.12", .other), (.dmy, "12.345,67", .other), (.dmy, "Ann", .other),
    (.dmy, "", .other), (.dmy, "31.12.2024 noon", .otherOrder), (.dmy, "31.12-2024", .other),
  ]

  @Test("become dates that sort as such, and others stay or are told", arguments: cases)
  func read(order: DateOrder, text: String, result: DateOrder.ReadResult) {
    #expect(Array(text.utf8).withUnsafeBufferPointer(order.read) == result)
  }

  @Test(
    "are found in any order, where the year is whole",
    arguments: [
      ("6.7.2021", "2021-07-06"), ("7/6/2021", "2021-07-06"), ("2021/07/06", "2021-07-06"),
      ("2021.07.06", "2021-07-06"),
      ("6.7.2021 8:05", "2021-07-06 08:05"), ("6.7.21", nil), ("10.4.19", nil), ("2021-07-06", nil),
      ("31/12/2024", nil),
      ("Ann", nil), ("", nil),
    ] as [(String, String?)])
  func anyOrder(text: String, date: String?) {
    #expect(DateOrder.date(fromAnyOrder: text) == date)
  }
}
