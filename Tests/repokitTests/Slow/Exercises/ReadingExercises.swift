/// Exercises that ask for rows, or for their number.
enum ReadingExercises {
  static let all: [Exercise] = [
    Exercise(
      "customers who are not in the USA", ["query", "Customer", "Country != 'USA'", "--columns", "LastName,Country"],
      "select LastName, Country from Customer where Country is not 'USA' order by CustomerId"),
    Exercise(
      "sales agents", ["query", "Employee", "Title contains 'agent' ignoring case", "--columns", "LastName,Title"],
      "select LastName, Title from Employee where lower(Title) like '%agent%' order by EmployeeId"),
    Exercise(
      "countries of invoices", ["query", "Invoice", "--columns", "BillingCountry", "--distinct"],
      "select distinct BillingCountry from Invoice order by 1"),
    Exercise(
      "invoices of customers in Brazil, the latest first",
      [
        "query", "Invoice", "CustomerId.Country = 'Brazil'", "--sort=-InvoiceDate,InvoiceId", "--columns",
        "InvoiceId,Total",
      ],
      """
      select InvoiceId, Total from Invoice join Customer using (CustomerId) where Country = 'Brazil'
      order by InvoiceDate desc, InvoiceId
      """),
    Exercise(
      "invoices in the order of their agents",
      [
        "query", "Invoice", "CustomerId.SupportRepId.Title = 'Sales Support Agent'", "--columns", "InvoiceId",
        "--sort", "CustomerId.SupportRepId.LastName,CustomerId.LastName desc,InvoiceId",
      ],
      """
      select InvoiceId from Invoice join Customer c using (CustomerId) join Employee e on e.EmployeeId = SupportRepId
      where e.Title = 'Sales Support Agent' order by e.LastName, c.LastName desc, InvoiceId
      """),
    Exercise(
      "tracks of an artist", ["query", "Track", "AlbumId.ArtistId.Name = 'AC/DC'", "--columns", "Name"],
      """
      select t.Name from Track t join Album using (AlbumId) join Artist a using (ArtistId) where a.Name = 'AC/DC'
      order by TrackId
      """),
    Exercise(
      "tracks that are not of that artist, those without an album among them",
      ["count", "Track", "AlbumId.ArtistId.Name != 'AC/DC'"],
      """
      select count(*) from Track left join Album using (AlbumId) left join Artist a using (ArtistId)
      where a.Name is not 'AC/DC'
      """),
    Exercise(
      "albums without sales",
      ["query", "Album", "no Track by AlbumId (any InvoiceLine by TrackId)", "--columns", "Title"],
      """
      select Title from Album where not exists (select * from Track join InvoiceLine using (TrackId)
        where Track.AlbumId = Album.AlbumId) order by AlbumId
      """),
    Exercise(
      "tracks that were never sold", ["count", "Track", "no InvoiceLine"],
      "select count(*) from Track where TrackId not in (select TrackId from InvoiceLine)"),
    Exercise(
      "genres that were never sold", ["query", "Genre", "no Track (any InvoiceLine)", "--columns", "GenreId"],
      """
      select GenreId from Genre where GenreId not in
        (select GenreId from Track join InvoiceLine using (TrackId) where GenreId is not null) order by 1
      """),
    Exercise(
      "artists without albums", ["count", "Artist", "no Album"],
      "select count(*) from Artist left join Album using (ArtistId) where AlbumId is null"),
    Exercise(
      "playlists without tracks", ["query", "Playlist", "no PlaylistTrack", "--columns", "PlaylistId"],
      "select PlaylistId from Playlist where PlaylistId not in (select PlaylistId from PlaylistTrack) order by 1"),
    Exercise(
      "the fullest playlists",
      ["query", "Playlist", "--sort=-count(PlaylistTrack),PlaylistId", "--limit", "3", "--columns", "PlaylistId"],
      """
      select PlaylistId from Playlist left join PlaylistTrack using (PlaylistId) group by 1
      order by count(TrackId) desc, 1 limit 3
      """),
    Exercise(
      "albums of more than ten tracks", ["query", "Album", "count(Track by AlbumId) > 10", "--columns", "AlbumId"],
      "select AlbumId from Track where AlbumId is not null group by 1 having count(*) > 10 order by 1"),
    Exercise(
      "the longest albums",
      ["query", "Album", "--sort=-sum(Milliseconds of Track),AlbumId", "--limit", "5", "--columns", "AlbumId"],
      """
      select AlbumId from Album left join Track using (AlbumId) group by 1
      order by coalesce(sum(Milliseconds), 0) desc, 1 limit 5
      """),
    Exercise(
      "albums on which every track is short",
      ["count", "Album", "any Track and no Track by AlbumId (Milliseconds > 360000)"],
      """
      select count(*) from (select AlbumId from Track where AlbumId is not null group by 1
        having max(Milliseconds) <= 360000)
      """),
    Exercise(
      "who bought rock, by address",
      [
        "query", "Customer", "any Invoice (any InvoiceLine (TrackId.GenreId.Name = 'Rock'))", "--sort", "Email",
        "--columns", "Email,FirstName,LastName",
      ],
      """
      select distinct Email, FirstName, LastName from Customer join Invoice using (CustomerId)
      join InvoiceLine using (InvoiceId) join Track using (TrackId) join Genre g using (GenreId) where g.Name = 'Rock'
      order by Email
      """),
    Exercise(
      "who bought nothing of an artist",
      ["count", "Customer", "no Invoice (any InvoiceLine (TrackId.AlbumId.ArtistId.Name = 'AC/DC'))"],
      """
      select count(*) from Customer where CustomerId not in (select CustomerId from Invoice join InvoiceLine
        using (InvoiceId) join Track using (TrackId) join Album using (AlbumId) join Artist a using (ArtistId)
        where a.Name = 'AC/DC')
      """),
    Exercise(
      "employees and whom they report to",
      ["query", "Employee", "ReportsTo.Title = 'General Manager'", "--columns", "LastName"],
      """
      select e.LastName from Employee e join Employee m on m.EmployeeId = e.ReportsTo
      where m.Title = 'General Manager' order by e.EmployeeId
      """),
    Exercise(
      "employees two levels below the top",
      [
        "query", "Employee",
        "ReportsTo.ReportsTo is not null and ReportsTo.ReportsTo.ReportsTo is null",
        "--columns", "LastName",
      ],
      """
      select e.LastName from Employee e join Employee m on m.EmployeeId = e.ReportsTo join Employee t
      on t.EmployeeId = m.ReportsTo where t.ReportsTo is null order by e.EmployeeId
      """),
    Exercise(
      "employees without subordinates", ["query", "Employee", "no Employee", "--columns", "LastName"],
      """
      select LastName from Employee where EmployeeId not in
        (select ReportsTo from Employee where ReportsTo is not null) order by EmployeeId
      """),
    Exercise(
      "employees hired before whom they report to",
      ["query", "Employee", "HireDate < ReportsTo.HireDate", "--columns", "LastName"],
      """
      select e.LastName from Employee e join Employee m on m.EmployeeId = e.ReportsTo where e.HireDate < m.HireDate
      order by e.EmployeeId
      """),
    Exercise(
      "employees younger than 40 when they were hired",
      ["query", "Employee", "year(HireDate) - year(BirthDate) < 40", "--columns", "LastName"],
      """
      select LastName from Employee where cast(strftime('%Y', HireDate) as integer) - strftime('%Y', BirthDate) < 40
      order by EmployeeId
      """),
    Exercise(
      "customers in the country of their agent", ["count", "Customer", "Country = SupportRepId.Country"],
      "select count(*) from Customer c join Employee e on e.EmployeeId = c.SupportRepId where e.Country = c.Country"),
    Exercise(
      "customers who spent more than forty",
      ["query", "Customer", "sum(Total of Invoice) > 40", "--columns", "CustomerId"],
      "select CustomerId from Invoice group by 1 having round(sum(Total), 2) > 40 order by 1"),
    Exercise(
      "invoices that don't add up",
      ["count", "Invoice", "abs(Total - sum(UnitPrice * Quantity of InvoiceLine)) > 0.001"],
      """
      select count(*) from Invoice where abs(Total - coalesce((select sum(UnitPrice * Quantity) from InvoiceLine
        where InvoiceLine.InvoiceId = Invoice.InvoiceId), 0)) > 0.001
      """),
    Exercise(
      "invoices of two years", ["count", "Invoice", "year(InvoiceDate) = 2021 or year(InvoiceDate) = 2023"],
      "select count(*) from Invoice where strftime('%Y', InvoiceDate) in ('2021', '2023')"),
    Exercise(
      "lines of an invoice", ["count", "InvoiceLine", "InvoiceId = 37"],
      "select count(*) from InvoiceLine where InvoiceId = 37"),
    Exercise(
      "tracks on more than two playlists", ["count", "Track", "count(PlaylistTrack) > 2"],
      "select count(*) from (select TrackId from PlaylistTrack group by 1 having count(*) > 2)"),
    Exercise(
      "names as one text", ["query", "Customer", "length(FirstName || ' ' || LastName) > 13", "--columns", "Email"],
      "select Email from Customer where length(FirstName || ' ' || LastName) > 13 order by CustomerId"),
  ]
}
