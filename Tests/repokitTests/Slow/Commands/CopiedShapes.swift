/// Small databases with the published shapes of the sample databases that courses use.
enum CopiedShapes {
  /// Chinook, as its SQLite file declares the tables. https://github.com/lerocha/chinook-database
  static let chinook = [
    "CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]))",
    """
    CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL, \
    CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]), FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) \
    ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    "CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId])",
    """
    CREATE TABLE [Employee] ([EmployeeId] INTEGER NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [ReportsTo] INTEGER, \
    [HireDate] DATETIME, CONSTRAINT [PK_Employee] PRIMARY KEY ([EmployeeId]), \
    FOREIGN KEY ([ReportsTo]) REFERENCES [Employee] ([EmployeeId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [InvoiceLine] ([InvoiceLineId] INTEGER NOT NULL, [UnitPrice] NUMERIC(10,2) NOT NULL, \
    [Quantity] INTEGER NOT NULL, CONSTRAINT [PK_InvoiceLine] PRIMARY KEY ([InvoiceLineId]))
    """,
    "CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL, PRIMARY KEY ([PlaylistId], [TrackId]))",
    "INSERT INTO Artist VALUES (1, 'AC/DC'), (2, NULL)", "INSERT INTO Album VALUES (1, 'For Those About To Rock', 1)",
    "INSERT INTO Employee VALUES (1, 'Edwards', 2, '2002-05-01 00:00:00'), (2, 'Adams', NULL, '2002-08-14 00:00:00')",
    "INSERT INTO InvoiceLine VALUES (1, 0.99, 1), (2, 1.99, 2), (3, 5, 1)",
    "INSERT INTO PlaylistTrack VALUES (1, 3402)",
  ]

  /// Northwind, as its SQLite version declares the tables. https://github.com/jpwhite3/northwind-SQLite3
  static let northwind = [
    "CREATE TABLE [Categories]([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT, [Picture] BLOB)",
    "CREATE TABLE [Customers]([CustomerID] TEXT, [CompanyName] TEXT, PRIMARY KEY (`CustomerID`))",
    """
    CREATE TABLE [Employees]([EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT, [BirthDate] DATE, [ReportsTo] INTEGER, \
    FOREIGN KEY ([ReportsTo]) REFERENCES [Employees] ([EmployeeID]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [Orders]([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CustomerID] TEXT, [EmployeeID] INTEGER, \
    [OrderDate] DATETIME, [Freight] NUMERIC DEFAULT 0, \
    FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]) ON DELETE NO ACTION ON UPDATE NO ACTION, \
    FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [Products]([ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [ProductName] TEXT NOT NULL, \
    [UnitsInStock] INTEGER DEFAULT 0, [Discontinued] TEXT NOT NULL DEFAULT '0', CHECK ([UnitsInStock]>=(0)))
    """,
    """
    CREATE TABLE "Order Details"("OrderID" INTEGER NOT NULL, "ProductID" INTEGER NOT NULL, \
    "Quantity" INTEGER NOT NULL DEFAULT 1, "Discount" REAL NOT NULL DEFAULT 0, PRIMARY KEY ("OrderID","ProductID"), \
    CHECK ([Discount]>=(0) AND [Discount]<=(1)), CHECK ([Quantity]>(0)), \
    FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]) ON DELETE NO ACTION ON UPDATE NO ACTION, \
    FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    "CREATE VIEW [Order Subtotals] AS SELECT OrderID, sum(Quantity) AS Total FROM \"Order Details\" GROUP BY OrderID",
    "INSERT INTO Categories (CategoryName, Picture) VALUES ('Beverages', x'15001c'), ('Condiments', NULL)",
    "INSERT INTO Customers VALUES ('ALFKI', 'Alfreds Futterkiste'), ('ANATR', NULL)",
    "INSERT INTO Employees VALUES (1, '1968-12-08', 2), (2, '1972-02-19', NULL), (3, '1980-01-01', 2)",
    "INSERT INTO Orders VALUES (10248, 'ALFKI', 1, '2016-07-04', 32.38), (10249, 'ANATR', 3, '2016-07-05', NULL)",
    "INSERT INTO Products VALUES (1, 'Chai', 39, '0'), (2, 'Chang', 17, '1')",
    "INSERT INTO \"Order Details\" VALUES (10248, 1, 12, 0), (10248, 2, 10, 0.15)",
  ]

  /// Sakila, as its SQLite version declares the tables. https://github.com/jOOQ/sakila
  static let sakila = [
    """
    CREATE TABLE film (film_id INTEGER NOT NULL, title VARCHAR(255) NOT NULL, release_year VARCHAR(4) DEFAULT NULL, \
    rental_rate DECIMAL(4,2) DEFAULT 4.99 NOT NULL, rating VARCHAR(10) DEFAULT 'G', last_update TIMESTAMP NOT NULL, \
    PRIMARY KEY (film_id), CONSTRAINT CHECK_special_rating CHECK(rating in ('G','PG','PG-13','R','NC-17')))
    """,
    """
    CREATE TRIGGER film_trigger_ai AFTER INSERT ON film BEGIN UPDATE film SET last_update = DATETIME('NOW') \
    WHERE rowid = new.rowid; END
    """,
    """
    CREATE TABLE staff (staff_id INTEGER NOT NULL, store_id INTEGER NOT NULL, email VARCHAR(50) COLLATE NOCASE UNIQUE, \
    PRIMARY KEY (staff_id), CONSTRAINT fk_staff_store FOREIGN KEY (store_id) REFERENCES store (store_id) \
    ON DELETE NO ACTION ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED)
    """,
    """
    CREATE TABLE store (store_id INTEGER NOT NULL, manager_staff_id INTEGER, open BOOLEAN NOT NULL DEFAULT 1, \
    opened TEXT DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (store_id), \
    CONSTRAINT fk_store_staff FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id) ON UPDATE CASCADE)
    """,
    "CREATE UNIQUE INDEX store_manager ON store (manager_staff_id) WHERE open = 1",
    "INSERT INTO film VALUES (1, 'ACE', '2006', 0.99, 'PG', '2020-12-23 07:12:31'), (2, 'BED', NULL, 5, 'G', '2020-12-23')",
    "DELETE FROM film WHERE film_id = 2",
    "INSERT INTO store VALUES (1, NULL, 1, '2020-01-01'), (2, NULL, 0, NULL)",
    "INSERT INTO staff VALUES (1, 1, 'Mike@x.org'), (2, 2, NULL)",
    "UPDATE store SET manager_staff_id = 3 - store_id",
  ]

  /// Pagila, Sakila for PostgreSQL, with the partitions of its payments and with tables that inherit, as they did before.
  /// https://github.com/devrimgunduz/pagila
  static let pagila = [
    "CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17')",
    "CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (((VALUE >= 1901) AND (VALUE <= 2155)))",
    """
    CREATE FUNCTION last_updated() RETURNS trigger LANGUAGE plpgsql AS \
    $$ BEGIN NEW.last_update = CURRENT_TIMESTAMP; RETURN NEW; END $$
    """,
    "CREATE SEQUENCE customer_customer_id_seq",
    """
    CREATE TABLE language (language_id serial PRIMARY KEY, name character(20) NOT NULL, \
    last_update timestamp without time zone DEFAULT now() NOT NULL)
    """,
    """
    CREATE TABLE film (film_id serial PRIMARY KEY, title character varying(255) NOT NULL, release_year year, \
    language_id integer NOT NULL REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT, \
    rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL, rating mpaa_rating DEFAULT 'G'::mpaa_rating, \
    special_features text[], fulltext tsvector NOT NULL, \
    rate_per_day numeric(6,2) GENERATED ALWAYS AS (rental_rate * 2) STORED)
    """,
    "CREATE INDEX film_fulltext_idx ON film USING gist (fulltext)", "CREATE INDEX idx_title ON film (title)",
    "CREATE TABLE store (store_id serial PRIMARY KEY, manager_staff_id integer NOT NULL)",
    """
    CREATE TABLE staff (staff_id serial PRIMARY KEY, first_name varchar(45) NOT NULL, store_id integer NOT NULL, \
    active boolean DEFAULT true NOT NULL, picture bytea, token uuid, big numeric(30,10), checked timestamptz, \
    CHECK (length(first_name) > 0), UNIQUE NULLS NOT DISTINCT (token))
    """,
    "CREATE UNIQUE INDEX idx_unq_manager_staff_id ON store (manager_staff_id)",
    """
    CREATE TABLE customer (customer_id integer DEFAULT nextval('customer_customer_id_seq'::regclass) NOT NULL PRIMARY KEY, \
    create_date date DEFAULT CURRENT_DATE NOT NULL, boss integer)
    """,
    """
    CREATE TABLE payment (payment_id integer NOT NULL, amount numeric(5,2) NOT NULL, \
    payment_date timestamp with time zone NOT NULL, PRIMARY KEY (payment_date, payment_id)) PARTITION BY RANGE (payment_date)
    """,
    "CREATE TABLE payment_1 PARTITION OF payment FOR VALUES FROM ('2022-01-01 00:00+00') TO ('2022-02-01 00:00+00')",
    "CREATE TABLE payment_2 PARTITION OF payment FOR VALUES FROM ('2022-02-01 00:00+00') TO ('2022-03-01 00:00+00')",
    "CREATE INDEX payment_amount ON payment (amount)",
    "CREATE TABLE old_payment (id integer PRIMARY KEY, amount numeric(5,2) NOT NULL)",
    "CREATE TABLE old_payment_2007 (CHECK (id >= 100)) INHERITS (old_payment)",
    "CREATE TABLE old_payment_2008 (note text) INHERITS (old_payment)",
    "INSERT INTO language (name) VALUES ('English'), ('Italian')",
    """
    INSERT INTO film (title, release_year, language_id, rating, special_features, fulltext) VALUES \
    ('ACADEMY', 2006, 1, 'PG', '{Trailers,"Deleted Scenes"}', '''academi'':1'), ('ACE', NULL, 2, NULL, NULL, '')
    """,
    "INSERT INTO store VALUES (1, 2), (2, 1)",
    #"""
    INSERT INTO staff VALUES (1, 'Mike', 1, true, '\x8950', '00000000-0000-4000-8000-00000000000a', \#
    12345678901234567890.0123456789, '2022-01-01 10:00+00'), (2, 'Jon', 2, false, NULL, NULL, NULL, 'infinity')
    """#,
    "ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff ON UPDATE CASCADE ON DELETE RESTRICT",
    "ALTER TABLE staff ADD FOREIGN KEY (store_id) REFERENCES store ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED",
    "ALTER TABLE customer ADD FOREIGN KEY (boss) REFERENCES customer ON DELETE SET NULL",
    "INSERT INTO customer VALUES (3, '2006-02-14', NULL)",
    "INSERT INTO customer VALUES (1, '2006-02-14', 3), (2, '2006-02-15', 1)",
    "INSERT INTO payment VALUES (1, 2.99, '2022-01-10 10:00+00'), (2, 0.99, '2022-02-10 10:00:00.5+00'), (3, 5, '2022-02-11 00:00+00')",
    "INSERT INTO old_payment VALUES (1, 1.5)", "INSERT INTO old_payment_2007 VALUES (100, 2.5)",
    "INSERT INTO old_payment_2008 VALUES (200, 3.5, 'x')",
    "CREATE TRIGGER last_updated BEFORE UPDATE ON language FOR EACH ROW EXECUTE FUNCTION last_updated()",
  ]
}
