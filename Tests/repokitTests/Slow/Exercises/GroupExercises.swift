/// Exercises that ask for what groups of rows come to.
enum GroupExercises {
  static let all: [Exercise] = [
    Exercise(
      "customers of each agent", ["group", "Customer", "--by", "SupportRepId.LastName"],
      """
      select e.LastName, count(*) from Customer left join Employee e on e.EmployeeId = SupportRepId group by 1 order by 1
      """),
    Exercise(
      "sales of each agent, the best first",
      ["group", "Invoice", "--by", "CustomerId.SupportRepId.LastName", "--sum", "Total", "--sort=-sum"],
      """
      select e.LastName, round(sum(Total), 2) from Invoice join Customer using (CustomerId)
      left join Employee e on e.EmployeeId = SupportRepId group by 1 order by 2 desc
      """),
    Exercise(
      "the best agent of a year",
      [
        "group", "Invoice", "year(InvoiceDate) = 2022", "--by", "CustomerId.SupportRepId.LastName", "--sum", "Total",
        "--sort=-sum", "--limit", "1",
      ],
      """
      select e.LastName, round(sum(Total), 2) from Invoice join Customer using (CustomerId)
      left join Employee e on e.EmployeeId = SupportRepId where strftime('%Y', InvoiceDate) = '2022'
      group by 1 order by 2 desc limit 1
      """),
    Exercise(
      "sales of each country",
      ["group", "Invoice", "--by", "BillingCountry", "--sum", "Total", "--count", "--sort=-sum"],
      """
      select BillingCountry, round(sum(Total), 2), count(*) from Invoice group by 1 order by 2 desc, 1
      """),
    Exercise(
      "sales of each year", ["group", "Invoice", "--by", "year(InvoiceDate)", "--sum", "Total"],
      "select cast(strftime('%Y', InvoiceDate) as integer), sum(Total) from Invoice group by 1 order by 1"),
    Exercise(
      "sales of each month", ["group", "Invoice", "--by", "yearMonth(InvoiceDate)", "--sum", "Total"],
      "select strftime('%Y-%m', InvoiceDate), sum(Total) from Invoice group by 1 order by 1"),
    Exercise(
      "sales of each quarter",
      ["group", "Invoice", "--by", "year(InvoiceDate),(month(InvoiceDate) + 2) / 3", "--sum", "Total"],
      """
      select cast(strftime('%Y', InvoiceDate) as integer), (strftime('%m', InvoiceDate) + 2) / 3, sum(Total)
      from Invoice group by 1, 2 order by 1, 2
      """),
    Exercise(
      "lines of each invoice", ["group", "InvoiceLine", "--by", "InvoiceId", "--sum", "Quantity", "--count"],
      "select InvoiceId, sum(Quantity), count(*) from InvoiceLine group by 1 order by 1"),
    Exercise(
      "tracks of each playlist", ["group", "PlaylistTrack", "--by", "PlaylistId.Name"],
      "select Name, count(*) from PlaylistTrack join Playlist using (PlaylistId) group by 1 order by 1"),
    Exercise(
      "what was sold most",
      ["group", "InvoiceLine", "--by", "TrackId,TrackId.Name", "--sum", "Quantity", "--sort=-sum", "--limit", "5"],
      """
      select TrackId, Name, sum(Quantity) from InvoiceLine join Track using (TrackId) group by 1, 2
      order by 3 desc, 1 limit 5
      """),
    Exercise(
      "the three artists that sell best",
      [
        "group", "InvoiceLine", "--by", "TrackId.AlbumId.ArtistId.Name", "--sum", "UnitPrice * Quantity", "--sort=-sum",
        "--limit", "3",
      ],
      """
      select a.Name, round(sum(l.UnitPrice * Quantity), 2) from InvoiceLine l join Track using (TrackId)
      left join Album using (AlbumId) left join Artist a using (ArtistId) group by 1 order by 2 desc, 1 limit 3
      """),
    Exercise(
      "the media type that sells best",
      ["group", "InvoiceLine", "--by", "TrackId.MediaTypeId.Name", "--sum", "Quantity", "--sort=-sum", "--limit", "1"],
      """
      select m.Name, sum(Quantity) from InvoiceLine join Track using (TrackId) join MediaType m using (MediaTypeId)
      group by 1 order by 2 desc limit 1
      """),
    Exercise(
      "sales of genres in one country",
      [
        "group", "InvoiceLine", "InvoiceId.BillingCountry = 'USA'", "--by", "TrackId.GenreId.Name", "--sum", "Quantity",
      ],
      """
      select g.Name, sum(Quantity) from InvoiceLine join Invoice using (InvoiceId) join Track using (TrackId)
      left join Genre g using (GenreId) where BillingCountry = 'USA' group by 1 order by 1
      """),
    Exercise(
      "length of the tracks of each genre, in minutes",
      [
        "group", "Track", "--by", "GenreId.Name", "--avg", "Milliseconds / 60000.0", "--min", "Name", "--max",
        "Milliseconds",
      ],
      """
      select g.Name, avg(Milliseconds / 60000.0), min(t.Name), max(Milliseconds) from Track t
      left join Genre g using (GenreId) group by 1 order by 1
      """),
    Exercise(
      "tracks with and without a composer", ["group", "Track", "--by", "if(Composer is null, 'a, none', 'some')"],
      "select iif(Composer is null, 'a, none', 'some'), count(*) from Track group by 1 order by 1"),
    Exercise(
      "artists by the number of their albums", ["group", "Artist", "--by", "count(Album)"],
      """
      select n, count(*) from (select count(AlbumId) as n from Artist left join Album using (ArtistId) group by ArtistId)
      group by 1 order by 1
      """),
    Exercise(
      "customers who are companies, by country",
      ["group", "Customer", "--by", "Country", "--sum", "if(Company is null, 0, 1)", "--count"],
      "select Country, count(Company), count(*) from Customer group by 1 order by 1"),
    Exercise(
      "invoices by the day of the week", ["group", "Invoice", "--by", "weekday(InvoiceDate)"],
      "select (strftime('%w', InvoiceDate) + 6) % 7 + 1, count(*) from Invoice group by 1 order by 1"),
  ]
}
