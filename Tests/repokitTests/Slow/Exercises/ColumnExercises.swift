/// Exercises that ask for more than columns of one table: projections, conditions on groups, and the first of each group.
enum ColumnExercises {
  static let all: [Exercise] = [
    Exercise(
      "tracks with album and length in minutes",
      [
        "query", "Track", "Milliseconds > 300000", "--columns", "Name, AlbumId.Title, Milliseconds / 60000 as minutes",
      ],
      """
      select t.Name, Title, Milliseconds / 60000 from Track t left join Album using (AlbumId)
      where Milliseconds > 300000 order by TrackId
      """),
    Exercise(
      "invoices with their customers, by a column of the result",
      [
        "query", "Invoice", "--columns",
        "InvoiceId, CustomerId.FirstName || ' ' || CustomerId.LastName as customer, Total", "--sort",
        "customer,InvoiceId", "--limit", "20",
      ],
      """
      select InvoiceId, FirstName || ' ' || LastName, Total from Invoice join Customer using (CustomerId)
      order by 2, 1 limit 20
      """),
    Exercise(
      "countries and years of invoices, each once",
      ["query", "Invoice", "--columns", "BillingCountry, year(InvoiceDate) as y", "--distinct"],
      "select distinct BillingCountry, cast(strftime('%Y', InvoiceDate) as integer) from Invoice order by 1, 2"),
    Exercise(
      "the longest track of each genre",
      [
        "query", "Track", "GenreId != null", "--top", "1", "--by", "GenreId", "--sort=-Milliseconds,Name", "--columns",
        "GenreId.Name as genre, Name, Milliseconds",
      ],
      """
      select g.Name, t.Name, Milliseconds from (select *, row_number() over
        (partition by GenreId order by Milliseconds desc, Name) as n from Track where GenreId is not null) t
      join Genre g using (GenreId) where n = 1 order by Milliseconds desc, t.Name
      """),
    Exercise(
      "the two best customers of each country",
      [
        "query", "Customer", "Country != null", "--top", "2", "--by", "Country", "--sort",
        "sum(Total of Invoice) desc,CustomerId", "--columns", "CustomerId, Country",
      ],
      """
      select CustomerId, Country from (select c.*, s, row_number() over (partition by Country order by s desc, CustomerId)
        as n from Customer c join (select CustomerId, round(coalesce(sum(Total), 0), 2) as s from Customer
          left join Invoice using (CustomerId) group by 1) using (CustomerId) where Country is not null)
      where n <= 2 order by s desc, CustomerId
      """),
    Exercise(
      "countries with more than ten invoices",
      ["group", "Invoice", "--by", "BillingCountry", "--having", "count() > 10 and BillingCountry != 'USA'"],
      """
      select BillingCountry, count(*) from Invoice group by 1 having count(*) > 10 and BillingCountry is not 'USA'
      order by 1
      """),
    Exercise(
      "composers of each genre, and how many tracks cost more",
      [
        "group", "Track", "--by", "GenreId.Name", "--aggregate", "countDistinct(Composer)", "--aggregate",
        "count(where UnitPrice > 1)", "--count",
      ],
      """
      select g.Name, count(distinct Composer), count(case when UnitPrice > 1 then 1 end), count(*) from Track
      left join Genre g using (GenreId) group by 1 order by 1
      """),
    Exercise(
      "years in which no invoice was great",
      ["group", "Invoice", "--by", "year(InvoiceDate)", "--having", "max(Total) < 20", "--max", "Total"],
      """
      select cast(strftime('%Y', InvoiceDate) as integer), max(Total) from Invoice group by 1 having max(Total) < 20
      order by 1
      """),
  ]
}
