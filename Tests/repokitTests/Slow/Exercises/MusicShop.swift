import Foundation
import Testing

/// A database of the tables of Chinook, a music shop that exercises in SQL are about, with generated rows.
///
/// The real one (https://github.com/lerocha/chinook-database) is asked the same where `REPOKIT_CHINOOK` names its file.
enum MusicShop {
  static let definitions = """
    create table Artist (ArtistId integer not null primary key, Name text);
    create table Album (AlbumId integer not null primary key, Title text not null,
      ArtistId integer not null references Artist (ArtistId));
    create table Genre (GenreId integer not null primary key, Name text);
    create table MediaType (MediaTypeId integer not null primary key, Name text);
    create table Track (TrackId integer not null primary key, Name text not null,
      AlbumId integer references Album (AlbumId), MediaTypeId integer not null references MediaType (MediaTypeId),
      GenreId integer references Genre (GenreId), Composer text, Milliseconds integer not null, Bytes integer,
      UnitPrice numeric(10, 2) not null);
    create table Playlist (PlaylistId integer not null primary key, Name text);
    create table PlaylistTrack (PlaylistId integer not null references Playlist (PlaylistId),
      TrackId integer not null references Track (TrackId), primary key (PlaylistId, TrackId));
    create table Employee (EmployeeId integer not null primary key, LastName text not null, FirstName text not null,
      Title text, ReportsTo integer references Employee (EmployeeId), BirthDate datetime, HireDate datetime, City text,
      Country text);
    create table Customer (CustomerId integer not null primary key, FirstName text not null, LastName text not null,
      Company text, City text, Country text, Email text not null,
      SupportRepId integer references Employee (EmployeeId));
    create table Invoice (InvoiceId integer not null primary key,
      CustomerId integer not null references Customer (CustomerId), InvoiceDate datetime not null, BillingCountry text,
      Total numeric(10, 2) not null);
    create table InvoiceLine (InvoiceLineId integer not null primary key,
      InvoiceId integer not null references Invoice (InvoiceId), TrackId integer not null references Track (TrackId),
      UnitPrice numeric(10, 2) not null, Quantity integer not null);
    create index AlbumArtist on Album (ArtistId);
    create index TrackAlbum on Track (AlbumId);
    create index TrackGenre on Track (GenreId);
    create index InvoiceCustomer on Invoice (CustomerId);
    create index LineInvoice on InvoiceLine (InvoiceId);
    create index LineTrack on InvoiceLine (TrackId);

    insert into Genre values (1, 'Rock'), (2, 'Jazz'), (3, 'Metal'), (4, 'Opera'), (5, null), (6, 'Latin');
    insert into MediaType values (1, 'MPEG audio file'), (2, 'AAC audio file'), (3, 'Video file');
    insert into Playlist values (1, 'Music'), (2, 'Movies'), (3, 'Heavy'), (4, 'Music'), (5, null), (6, 'Short');
    insert into Employee values
      (1, 'Abbot', 'Ann', 'General Manager', null, '1962-02-18 00:00:00', '2002-08-14 00:00:00', 'Edmonton', 'Canada'),
      (2, 'Baker', 'Ben', 'Sales Manager', 1, '1958-12-08 00:00:00', '2002-05-01 00:00:00', 'Calgary', 'Canada'),
      (3, 'Cook', 'Cleo', 'Sales Support Agent', 2, '1973-08-29 00:00:00', '2002-04-01 00:00:00', 'Paris', 'France'),
      (4, 'Dyer', 'Dan', 'Sales Support Agent', 2, '1947-09-19 00:00:00', '2003-05-03 00:00:00', 'Calgary', 'Canada'),
      (5, 'Egger', 'Eve', 'Sales Support Agent', 2, '1965-03-03 00:00:00', '2003-10-17 00:00:00', null, null),
      (6, 'Fox', 'Finn', 'IT Manager', 1, '1973-07-01 00:00:00', '2003-10-17 00:00:00', 'Calgary', 'Canada'),
      (7, 'Gray', 'Gus', 'IT Staff', 6, '1970-05-29 00:00:00', '2004-01-02 00:00:00', 'Lethbridge', 'Canada');
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 15)
      insert into Artist select i, case i when 1 then 'AC/DC' when 15 then null else 'Artist ' || i end from n;
    -- Some artists have no album, and the first one many.
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 26)
      insert into Album select i, 'Album ' || (i * 7 % 26), case when i < 7 then 1 else 1 + i * 5 % 12 end from n;
    -- Some albums have no track; some tracks have no album, no genre or no composer.
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 240)
      insert into Track select i, 'Track ' || (i * 101 % 240), case when i % 29 = 0 then null else 1 + i * i % 23 end,
        1 + i % 7 % 2, case when i % 31 = 0 then null when i % 3 = 0 then 1 else 1 + i % 5 end,
        case when i % 4 = 0 then null else 'Composer ' || (i % 9) end, 60000 + i * 7919 % 400000,
        case when i % 37 = 0 then null else i * 104729 end, case when i % 11 = 0 then 1.99 else 0.99 end
      from n;
    insert into PlaylistTrack select 1, TrackId from Track;
    insert into PlaylistTrack select 3, TrackId from Track where GenreId = 3;
    insert into PlaylistTrack select 4, TrackId from Track where TrackId % 5 = 0;
    insert into PlaylistTrack select 6, TrackId from Track where Milliseconds < 120000;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 24)
      insert into Customer select i, 'First ' || (i % 5), 'Last ' || (i * 7 % 24),
        case when i % 3 = 0 then 'Company ' || i end,
        case i % 6 when 0 then 'Paris' when 1 then 'Calgary' when 2 then null else 'City ' || i end,
        case i % 6 when 0 then 'France' when 1 then 'Canada' when 2 then 'Brazil' when 3 then 'Brazil' else 'USA' end,
        'person' || i || '@example.com', case when i % 8 = 0 then null else 3 + i * i % 3 end
      from n;
    -- The last customer never bought anything.
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 70)
      insert into Invoice select i, 1 + i * 13 % 23,
        datetime('2021-01-05', (i * 25) || ' days', (i % 24) || ' hours'),
        (select case when i % 10 = 0 then 'Norway' else Country end from Customer where CustomerId = 1 + i * 13 % 23), 0
      from n;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 260)
      insert into InvoiceLine select i, 1 + i * 37 % 69, 1 + i * i % 200, 0.99, 1 + (i % 13 = 0) * 20 from n
        where 1 + i * i % 200 not in (select TrackId from Track where GenreId = 4);
    update InvoiceLine set UnitPrice = (select UnitPrice from Track where Track.TrackId = InvoiceLine.TrackId);
    update Invoice set Total = coalesce((select round(sum(UnitPrice * Quantity), 2) from InvoiceLine
      where InvoiceLine.InvoiceId = Invoice.InvoiceId), 0);
    """

  /// A folder with the generated database as `shop.sqlite`, or with another file of this name in its place.
  static func workshop(with file: String?) async throws -> Workshop {
    guard let file else { return try await template.copy() }
    let workshop = try Workshop()
    try workshop.write(Array(Data(contentsOf: URL(fileURLWithPath: file))), to: "shop.sqlite")
    return workshop
  }

  private static let template = Workshop.Template {
    let workshop = try Workshop()
    try workshop.write(definitions, to: "shop.sql")
    let made = try await workshop.shell("sqlite3 shop.sqlite < shop.sql")
    try #require(made == Outcome(status: 0, output: "", messages: ""))
    return workshop
  }
}

/// A question of an exercise: what one asks the tool, and the SQL of which the answer has to be the same.
struct Exercise: Sendable, CustomTestStringConvertible {
  let question: String
  /// The command, the table and the rest of the arguments; the file goes between them.
  let arguments: [String]
  let sql: String

  init(_ question: String, _ arguments: [String], _ sql: String) {
    (self.question, self.arguments, self.sql) = (question, arguments, sql)
  }

  var testDescription: String { question }
}
