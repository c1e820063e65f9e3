#!/usr/bin/env python3
"""Writes clauses.txt: 1,000 conditions over fixed tables, and which rows each of them means.

The answers come from here and not from the library: this is a second reading of Semantics.md, with a parser and an
evaluator of its own. Where SQL can say the same, SQLite's own answer has to agree, or nothing is written.

Run by hand: `python3 generate.py`; with `--check`, which `make lint` runs, it only compares.
"""

import os
import random
import re
import sqlite3
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clauses.txt")

# --- Tables -----------------------------------------------------------------------------------------------------------

TABLES = {
    "numbers": [
        "CREATE TABLE numbers (id INTEGER PRIMARY KEY, i INTEGER, j INTEGER, r REAL, s REAL NOT NULL) STRICT",
        "CREATE INDEX numbers_i ON numbers (i)",
        "CREATE INDEX numbers_r ON numbers (r)",
        "INSERT INTO numbers VALUES (1, 0, 0, 0.0, -0.0), (2, 1, -1, 1.0, 1.5), (3, -1, -1, -0.0, 0.1)",
        "INSERT INTO numbers VALUES (4, NULL, 1, NULL, 2.0), (5, 9223372036854775807, 5, 9223372036854775807, 9e999)",
        "INSERT INTO numbers VALUES (6, -9223372036854775807 - 1, NULL, -9223372036854775808, -9e999)",
        "INSERT INTO numbers VALUES (7, 9007199254740993, 9007199254740992, 9007199254740992, 9007199254740994.0)",
        "INSERT INTO numbers VALUES (8, 9007199254740992, 9007199254740993, 0.30000000000000004, 0.3)",
        "INSERT INTO numbers VALUES (9, 2, 2, 1.7976931348623157e308, 5e-324), (10, NULL, NULL, 9e999, -1.5)",
    ],
    "texts": [
        "CREATE TABLE texts (id INTEGER PRIMARY KEY, t TEXT, u TEXT NOT NULL) STRICT",
        "CREATE INDEX texts_t ON texts (t)",
        "INSERT INTO texts VALUES (1, '', 'a'), (2, ' ', ''), (3, 'a', 'a'), (4, 'A', 'a'), (5, 'ab', 'a%'), (6, NULL, 'x')",
        "INSERT INTO texts VALUES (7, char(233), 'e' || char(769)), (8, 'e' || char(769), char(233))",
        "INSERT INTO texts VALUES (9, 'straße', 'STRASSE'), (10, 'STRASSE', 'strasse'), (11, 'ß', 'ss'), (12, 'ẞ', 'ß')",
        "INSERT INTO texts VALUES (13, 'ı', 'I'), (14, 'i', 'İ'), (15, 'I', 'i'), (16, char(8490), 'k')",
        "INSERT INTO texts VALUES (17, '%', '_'), (18, '_', '%'), (19, '\\', '\\%'), (20, 'a%b', 'a_b'), (21, 'a\\b', '100%')",
        "INSERT INTO texts VALUES (22, '日本', '日'), (23, '👍🏽', '👍'), (24, char(65535), char(1114111)), (25, 'ﬁ', 'fi')",
        "INSERT INTO texts VALUES (26, 'a' || char(10) || 'b', char(9)), (27, 'it''s', '\"'), (28, '12', '12.0'), (29, 'Σς', 'σσ')",
    ],
    "kinds": [
        "CREATE TABLE kinds (id INTEGER PRIMARY KEY, a ANY, b ANY, d BLOB, t TEXT, n INTEGER) STRICT",
        "INSERT INTO kinds VALUES (1, NULL, NULL, NULL, NULL, NULL), (2, 1, 1.0, x'', '', 0), (3, '1', 1, x'00', '1', 1)",
        "INSERT INTO kinds VALUES (4, x'31', '1', x'0000', 'a', 2), (5, 'a', x'61', x'61', 'a', NULL)",
        "INSERT INTO kinds VALUES (6, '', x'', x'ff', 'b', -1), (7, 9e999, '', x'00ff', NULL, 7), (8, -9e999, -1, x'61', 'A', 8)",
        "INSERT INTO kinds VALUES (9, 9007199254740993, 9007199254740992.0, NULL, '9', 9), (10, 1.5, NULL, x'6162', 'ab', 1)",
    ],
    "loose": [
        "CREATE TABLE loose (id INTEGER PRIMARY KEY, i INTEGER, r DOUBLE, t TEXT COLLATE NOCASE, v VARCHAR(9) COLLATE RTRIM,"
        " n NUMERIC, b BLOB, x, d DATETIME)",
        "CREATE INDEX loose_i ON loose (i)",
        "CREATE INDEX loose_t ON loose (t)",
        "INSERT INTO loose VALUES (1, 1, 1, 'a', 'a', 1, 1, 1, '2020-01-01'), (2, 'x', 'y', 'A', 'a ', 'z', 'a', 'A', 2021)",
        "INSERT INTO loose VALUES (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        "INSERT INTO loose VALUES (4, x'31', x'31', x'31', x'31', x'31', x'31', x'31', x''), (5, '1', '1', 1, 1, '1', '1', '1', '')",
        "INSERT INTO loose VALUES (6, 1.5, '1.50', 1.5, 1.5, '1e2', 1.5, 1.0, 1), (7, '0x10', '', '', '', '', '', '', ' 5 ')",
        "INSERT INTO loose VALUES (8, 9007199254740993, 9007199254740993, '9', '10', 9007199254740993, 9007199254740993, 9e999, 1e3)",
        "INSERT INTO loose VALUES (9, 9223372036854775807, 9e999, 'B', 'b', -9e999, 'é', x'', -1)",
    ],
    "logic": [
        "CREATE TABLE logic (id INTEGER PRIMARY KEY, p INTEGER, q INTEGER, w TEXT) STRICT",
        "INSERT INTO logic VALUES (1, 0, 0, 'a'), (2, 0, 1, NULL), (3, 0, NULL, 'b'), (4, 1, 0, 'a'), (5, 1, 1, NULL)",
        "INSERT INTO logic VALUES (6, 1, NULL, 'b'), (7, NULL, 0, 'a'), (8, NULL, 1, NULL), (9, NULL, NULL, 'b')",
    ],
    "names": [
        "CREATE TABLE names (id INTEGER PRIMARY KEY, \"base attack\" INTEGER, \"select\" TEXT, \"and\" INTEGER, \"ключ\" TEXT,"
        " \"it\"\"s\" INTEGER, first INTEGER, \"é\" INTEGER) STRICT",
        "INSERT INTO names VALUES (1, 90, 'a', 1, 'да', 5, 1, 1), (2, NULL, 'b', 0, 'нет', NULL, 0, NULL), (3, 10, NULL, NULL, NULL, 5, 2, 3)",
    ],
}

# --- Reading a clause -------------------------------------------------------------------------------------------------

RESERVED = {"and", "or", "not", "true", "false", "null", "between", "in", "is", "like"}
TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
    (?P<blob>[xX]'(?:[0-9a-fA-F]{2})*') | (?P<text>'(?:[^']|'')*') | (?P<quoted>"(?:[^"]|"")*")
    | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.]) | (?P<word>[^\W\d][\w\u0300-\u036f]*)
    | (?P<relation><=|>=|<>|!=|==|=|<|>) | (?P<mark>[(),]) | (?P<end>\Z) )""",
    re.VERBOSE,
)


class Refused(Exception):
    """Why a clause is no query, or none of its table."""


class Blob(bytes):
    pass


class Key(str):
    pass


def tokens(text):
    position, found = 0, []
    while not found or found[-1][0] != "end":
        match = TOKEN.match(text, position)
        if not match:
            raise Refused("expected")
        kind = match.lastgroup
        spelling = match.group(kind)
        position = match.end()
        if kind == "number":
            whole = re.fullmatch(r"-?[0-9]+", spelling)
            value = int(spelling) if whole else float(spelling)
            if whole and not -(2**63) <= value < 2**63:
                raise Refused("expected an integer from")
            if abs(value) == float("inf") and spelling.lower() not in ("9e999", "-9e999"):
                raise Refused("expected a number from")
            found.append(("value", value))
        elif kind == "text":
            found.append(("value", spelling[1:-1].replace("''", "'")))
        elif kind == "blob":
            found.append(("value", Blob(bytes.fromhex(spelling[2:-1]))))
        elif kind == "quoted":
            found.append(("key", spelling[1:-1].replace('""', '"')))
        elif kind == "word" and spelling.isascii() and spelling.lower() in RESERVED:
            found.append((spelling.lower(), spelling))
        elif kind == "word":
            found.append(("word", spelling))
        elif kind == "relation":
            found.append(("relation", {"==": "=", "<>": "!="}.get(spelling, spelling)))
        else:
            found.append((spelling or "end", None))
    return found


class Parser:
    """By descent: or of and of not of conditions."""

    def __init__(self, text):
        self.tokens, self.position = tokens(text), 0

    def accept(self, kind, word=None):
        found, spelling = self.tokens[self.position]
        if found != kind or word and spelling.lower() != word:
            return False
        self.position += 1
        return True

    def last(self):
        return self.tokens[self.position - 1][1]

    def expect(self, kind, word=None):
        if not self.accept(kind, word):
            raise Refused("expected")

    def query(self):
        query = self.disjunction()
        self.expect("end")
        return query

    def disjunction(self):
        query = self.conjunction()
        while self.accept("or"):
            query = ("or", query, self.conjunction())
        return query

    def conjunction(self):
        query = self.negation()
        while self.accept("and"):
            query = ("and", query, self.negation())
        return query

    def negation(self):
        if self.accept("not"):
            return ("not", self.negation())
        if self.accept("("):
            query = self.disjunction()
            self.expect(")")
            return query
        if self.accept("true"):
            return ("constant", True)
        if self.accept("false"):
            return ("constant", False)
        return self.condition()

    def key(self):
        if self.accept("word") or self.accept("key"):
            return Key(self.last())
        raise Refused("expected")

    def value(self):
        for name, value in (("null", None), ("true", 1), ("false", 0)):
            if self.accept(name):
                return value
        self.expect("value")
        return self.last()

    def operand(self):
        return self.key() if self.tokens[self.position][0] in ("word", "key") else self.value()

    def condition(self):
        key = self.key()
        if self.accept("relation"):
            relation, operand = self.last(), self.operand()
            if isinstance(operand, str) and not isinstance(operand, Key) and self.accept("word", "ignoring"):
                self.expect("word", "case")
                return ("folded", key, relation, operand)
            return ("compare", key, relation, operand)
        if self.accept("is"):
            relation = "!=" if self.accept("not") else "="
            self.expect("null")
            return ("compare", key, relation, None)
        if self.accept("not"):
            return ("not", self.negatable(key))
        return self.negatable(key)

    def negatable(self, key):
        if self.accept("between"):
            lower = self.operand()
            self.expect("and")
            return ("between", key, lower, self.operand())
        if self.accept("in"):
            self.expect("(")
            values = []
            if not self.accept(")"):
                values.append(self.value())
                while self.accept(","):
                    values.append(self.value())
                self.expect(")")
            return ("in", key, values)
        for words in (("contains",), ("like",), ("starts", "with"), ("ends", "with")):
            if self.accept("like" if words[0] == "like" else "word", words[0]):
                for word in words[1:]:
                    self.expect("word", word)
                self.expect("value")
                text = self.last()
                if not isinstance(text, str):
                    raise Refused("expected text")
                folds = self.accept("word", "ignoring")
                if folds:
                    self.expect("word", "case")
                return ("text", key, words[0], text, folds)
        raise Refused("expected")


# --- What a clause means ----------------------------------------------------------------------------------------------

EVERY_KIND = {"number", "text", "blob"}


class Table:
    def __init__(self, name):
        self.database = sqlite3.connect(":memory:")
        for statement in TABLES[name]:
            self.database.execute(statement)
        self.name = name
        strict = TABLES[name][0].endswith("STRICT")
        self.kinds = {}
        for _, column, declared, *_ in self.database.execute(f"PRAGMA table_info({name})"):
            declared = declared.upper()
            if strict or column == "id":
                kinds = {"INTEGER": {"number"}, "REAL": {"number"}, "TEXT": {"text"}, "BLOB": {"blob"}}
                self.kinds[column] = kinds.get(declared, EVERY_KIND)
            else:
                # A loose text column makes texts of numbers and keeps blobs.
                is_text = any(part in declared for part in ("CHAR", "CLOB", "TEXT"))
                self.kinds[column] = {"text", "blob"} if is_text else EVERY_KIND
        names = list(self.kinds)
        self.rows = []
        for row in self.database.execute(f"SELECT * FROM {name} ORDER BY id"):
            self.rows.append(dict(zip(names, (Blob(v) if isinstance(v, bytes) else v for v in row))))


def kind(value):
    return "null" if value is None else "blob" if isinstance(value, Blob) else "text" if isinstance(value, str) else "number"


def rank(value):
    """The place in the total order. Python, too, compares integers and floats exactly."""
    place = ("null", "number", "text", "blob").index(kind(value))
    return place, 0 if value is None else value.encode() if isinstance(value, str) else value


def holds(left, relation, right):
    a, b = rank(left), rank(right)
    if relation in ("=", "!="):
        return (a == b) == (relation == "=")
    if left is None or right is None:
        return False
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[relation]


def like(text, pattern):
    expression, characters = "", iter(pattern)
    for character in characters:
        if character == "%":
            expression += "(?s:.*)"
        elif character == "_":
            expression += "(?s:.)"
        else:
            expression += re.escape(next(characters, "\\") if character == "\\" else character)
    return re.fullmatch(expression, text) is not None


def matches(value, operation, sought, folds):
    if not isinstance(value, str):
        return False
    if folds:
        value, sought = value.casefold(), sought.casefold()
    if operation == "like":
        return like(value, sought)
    if operation == "contains":
        return sought in value
    return value.startswith(sought) if operation == "starts" else value.endswith(sought)


def check(query, table):
    """Refuses unknown keys and kinds that a column can't hold, the leftmost first."""

    def kinds(key):
        if key not in table.kinds:
            raise Refused("no column")
        return table.kinds[key]

    def fits(key, operand):
        if isinstance(operand, Key):
            if not kinds(key) & kinds(operand):
                raise Refused("can't compare")
        elif operand is not None and kind(operand) not in kinds(key):
            raise Refused("can't compare")

    if query[0] in ("and", "or", "not"):
        for part in query[1:]:
            check(part, table)
    elif query[0] != "constant":
        kinds(query[1])
        operands = {"compare": query[3:], "folded": query[3:], "between": query[2:], "in": query[2], "text": [""]}[query[0]]
        for operand in operands:
            if isinstance(operand, Key):
                kinds(operand)
        for operand in operands:
            fits(query[1], operand)


def means(query, row):
    def value(operand):
        return row[operand] if isinstance(operand, Key) else operand

    form, *parts = query
    if form == "constant":
        return parts[0]
    if form == "not":
        return not means(parts[0], row)
    if form == "and":
        return means(parts[0], row) and means(parts[1], row)
    if form == "or":
        return means(parts[0], row) or means(parts[1], row)
    own = row[parts[0]]
    if form == "compare":
        return holds(own, parts[1], value(parts[2]))
    if form == "folded":
        return holds(own.casefold() if isinstance(own, str) else None, parts[1], parts[2].casefold())
    if form == "between":
        return holds(own, ">=", value(parts[1])) and holds(own, "<=", value(parts[2]))
    if form == "in":
        return any(holds(own, "=", other) for other in parts[1])
    return matches(own, *parts[1:])


# --- What SQLite says to it -------------------------------------------------------------------------------------------


class Unsayable(Exception):
    """SQL has no words for this that mean the same."""


def sql(query):
    def literal(value):
        if value is None:
            return "NULL"
        if isinstance(value, Key):
            return column(value)
        if isinstance(value, Blob):
            return f"x'{value.hex()}'"
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        if value == -(2**63) and isinstance(value, int):
            return "(-9223372036854775807 - 1)"
        return repr(value).replace("inf", "9e999")

    def column(key):
        # The plus takes the affinity away.
        return '(+"' + key.replace('"', '""') + '" COLLATE BINARY)'

    form, *parts = query
    if form == "constant":
        return "1" if parts[0] else "0"
    if form == "not":
        return f"NOT ({sql(parts[0])})"
    if form in ("and", "or"):
        return f"({sql(parts[0])}) {form} ({sql(parts[1])})"
    if form == "folded":
        raise Unsayable
    own = column(parts[0])
    if form == "compare":
        relation = {"=": "IS", "!=": "IS NOT"}.get(parts[1], parts[1])
        return f"coalesce({own} {relation} {literal(parts[2])}, 0)"
    if form == "between":
        return f"coalesce({own} BETWEEN {literal(parts[1])} AND {literal(parts[2])}, 0)"
    if form == "in":
        return " OR ".join(f"({own} IS {literal(value)})" for value in parts[1]) or "0"
    operation, text, folds = parts[1:]
    if folds and not text.isascii():
        raise Unsayable
    if folds:
        own, text = f"lower({own})", text.lower()
    sought = literal(text)
    if operation == "like":
        if re.search(r"(?<!\\)(?:\\\\)*\\\Z", text):
            raise Unsayable  # SQLite takes a single escape character at the end for nothing.
        match = f"{own} LIKE {sought} ESCAPE '\\'"
    elif operation == "contains":
        match = f"instr({own}, {sought}) > 0"
    elif operation == "starts":
        match = f"substr({own}, 1, length({sought})) = {sought}"
    else:
        match = f"substr({own}, max(length({own}) - length({sought}), 0) + 1) = {sought}"
    return f"coalesce(typeof({column(parts[0])}) = 'text' AND ({match}), 0)"


def folds_beyond_ascii(query, table):
    """Whether case is ignored in rows that SQLite's `lower` leaves alone."""
    if query[0] in ("and", "or", "not"):
        return any(folds_beyond_ascii(part, table) for part in query[1:])
    return query[0] == "text" and query[4] and any(
        isinstance(row[query[1]], str) and not row[query[1]].isascii() for row in table.rows
    )


def answer(clause, table):
    """The expected line, and whether SQLite was asked."""
    try:
        query = Parser(clause).query()
        check(query, table)
    except Refused as refusal:
        return f"error {refusal}", False
    ids = [row["id"] for row in table.rows if means(query, row)]
    asked = not folds_beyond_ascii(query, table)
    if asked:
        try:
            table.database.execute("PRAGMA case_sensitive_like = ON")
            statement = f"SELECT id FROM {table.name} WHERE {sql(query)} ORDER BY id"
            stored = [id for (id,) in table.database.execute(statement)]
            assert stored == ids, f"{table.name}: {clause}: SQLite says {stored}, the contract {ids}"
        except Unsayable:
            asked = False
    return " ".join(map(str, ids)) or "none", asked


# --- The clauses ------------------------------------------------------------------------------------------------------

RELATIONS = ["=", "!=", "<", "<=", ">", ">="]
INTEGERS = ["0", "1", "-1", "2", "9223372036854775807", "-9223372036854775808", "9007199254740992", "9007199254740993"]
REALS = ["0.0", "-0.0", "1.5", "0.1", "0.30000000000000004", "9007199254740992.0", "9223372036854775808.0", "9e999", "-9e999",
         "5e-324", "1e308", "-9223372036854775808.0", "1E0"]
TEXTS = ["''", "' '", "'a'", "'A'", "'ab'", "'é'", "'e\u0301'", "'ß'", "'ss'", "'i'", "'ı'", "'%'", "'\\'", "'日本'", "'👍🏽'",
         "'it''s'", "'\U0010ffff'", "'\uffff'", "'1'", "'9'", "'10'", "'12'", "'z'", "'--'", "'a b'", "'\"'", "';'", "'STRASSE'"]
BLOBS = ["x''", "x'00'", "x'0000'", "x'31'", "x'61'", "x'ff'", "X'00FF'"]
PATTERNS = ["''", "'%'", "'_'", "'__'", "'%%'", "'a%'", "'%b'", "'a_b'", "'a\\%b'", "'\\%'", "'\\_'", "'\\\\'", "'\\'", "'a\\\\b'",
            "'%\\'", "'\\a'", "'A%'", "'ss'", "'str%e'", "'s_r%'", "'%s_'", "'_%_'", "'日_'", "'é'", "'e_'", "'it''s'", "'%\\%%'",
            "'a%b%'", "'%a%b'", "'i'", "'k'", "'[a]'", "'*'", "'?'", "'fi'", "'f_'", "'Σ%'", "'σσ'", "'_\\_'", "'12%'"]
WHOLE = {  # For each table, clauses that are worth more than chance.
    "numbers": """
        i = 1.0 | i = 1.5 | i != 1.5 | i in (1.0, 1.5) | i not in (1.5) | i = 9007199254740992.0 | i > 9007199254740992.0
        i < 9223372036854775808.0 | i <= 9223372036854775807 | i >= -9223372036854775808 | i > 1e300 | i < -9e999 | r = 1
        r = 9007199254740993 | r = 9007199254740992 | r < 9007199254740993 | r in (9007199254740993) | r >= 9007199254740993
        r = -0.0 | s = 0 | s = 0.3 | r = 0.3 | r = 9e999 | r = 1e999 | s = -1e400 | s < 5e-324 | s > 0 and s < 1e-300 | r > i
        i = r | i != r | i < r | i <= r | i >= r | i = j | i != j | not i = j | not i < j | i < j or i >= j | i between j and r
        i between 0 and j | i between null and 1 | i between 0 and null | not i between 0 and null | i not between 2 and 0
        i between -1 and 1.5 | r between 9e999 and 9e999 | i between i and i | r between -9e999 and 0 | i in () | i not in ()
        i in (null) | i not in (null) | i in (1, null, 1) | i not in (1, null) | j in (9007199254740993, 9007199254740992.0)
        i = null | i != null | i < null | not i < null | i >= null | not i >= null | i is null | i is not null | not i is null
        s is null | s is not null | r in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
        i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1.5, 9007199254740992.0, 9e999, null)
        i = '1' | i in (1, '1') | r > 'a' | i = x'01' | i contains '1' | r like '%' | i between 1 and 'a' | i starts with ''
        i = 9223372036854775808 | i = -9223372036854775809 | i = 1. | i = .5 | i = 0x10 | i = 1e | i = +1
        i = 1_000 | i = 00012 | i = 1e0 | i = true | i = false | i in (true, false) | i = j = 1 | i == 1 | i <> 1 | i =! 1
        I = 1 | k = 1 | i = k | \"i\" = 1 | \"I\" = 1 | id = 3 | id = 3.0 | id > 8.5 | id in (1, 2, 2, 100) | id = i | id is null
        i = r or i is null and not r is null | s = 9007199254740993 | s = 9007199254740994 | r <= 1.7976931348623157e308
    """,
    "texts": """
        t < 'a' | t > 'Z' | t >= '日' | t > '\uffff' | t <= '\U0010ffff' | t = 'é' | t = 'e\u0301' | t != 'é' | t = u | t < u
        t between 'A' and 'a' | t between 'a' and 'A' | t between '' and ' ' | t between u and t | t in ('é') | t in ('', null)
        t not in ('', null) | t = null | t contains '' | t starts with '' | t ends with '' | t like '%' | not t contains ''
        t not like '%' | u not contains 'a' | t contains '' ignoring case | t contains '\u0301' | t starts with 'e'
        t ends with '\u0301' | t starts with '👍' | t contains '🏽' | t like '__' | t like '👍_' | t contains 'SS' ignoring case
        t starts with 'STRASS' ignoring case | t ends with 'SSE' ignoring case | t like 'strasse' ignoring case
        t like '_' ignoring case | t like '__' ignoring case | t like 'ß' ignoring case | t like 'ẞ' ignoring case
        t like 'I' ignoring case | t like 'ı' ignoring case | u like 'i_' ignoring case | u contains 'İ' ignoring case
        t like 'K' ignoring case | t like 'ΣΣ' ignoring case | t like 'FI' ignoring case | t starts with 'F' ignoring case
        t ends with 'i' ignoring case | t contains 'É' ignoring case | t = 'A' or t = 'a' | t like '%\\' | t like '\\'
        t like 'a\\b' | t like '\\\\' | t ends with '\\' | t starts with '%' | t contains '_' | t contains '%' | u ends with '%'
        u like '%\\%' | u like '%\\%%' | u like 'a\\_b' | t like 'a_b' | t like 'a%b' | t = 12 | t > 1 | t in ('a', 1)
        t = x'61' | t contains 1 | t like null | t contains u | t starts 'a' | t contains 'a' ignoring | t = 'a' ignoring case
        t ignoring case | t like 'a' ignore case | t = 'it's' | t = \"a\" | t = 'a | t = a | t between 'a' | t LIKE 'A%' IGNORING CASE
        t Not Like 'a' | t IN ('a') | t Is Not Null | t is 'a' | t not = 'a' | t not is null | t ends with 'b' and t contains '%'
        t like '%a%b%' | t like '%%%' | t like '_%' | u = 'a' and t != u | t > u or t is null | not (t > u) | t <= u
        t starts with 'a' and t ends with 'b' | t = 'a' 'b' | t || 'a' | u is null | t like '%\\_%' | t starts with '\uffff'
    """,
    "kinds": """
        a = 1 | a = '1' | a = x'31' | a < '' | a < x'' | a >= x'' | a > 1e308 | a < 'a' | a >= '' and a < x'' | a = b | a != b
        a < b | a > b | a = d | a < d | d < a | a = t | t = a | t < b | n = a | a = n | n < b | n = t | t = n | n = d | d = t | d > t
        a between 1 and 'a' | a between '' and x'' | a between x'' and '' | a in (1, '1', x'31', null) | a not in (1, '1', null)
        a in () | a in (1.0) | b in (1) | b in (9007199254740993) | a in (9007199254740992.0) | a contains '' | a starts with '1'
        a ends with 'a' | a like '%' | not a like '%' | a not contains '' | a contains '1' ignoring case | b like '_' | d = x'00'
        d > x'00' | d < x'00ff' | d between x'' and x'61' | d in (x'61', x'ff') | d not in (x'61', null) | d = 'a' | d = 1
        d contains 'a' | d like '%' | d is null | d != x'' | t in ('a', x'61') | n in (1, 'a') | d >= x'6' | d = x'6g' | d = x'61
        a = 9e999 | a = -9e999 | a > 9007199254740992.0 | b = 9007199254740993 | a between b and d | b between n and t
        t between a and b | d between a and t | n between a and b | a = null | b is not null | a is null or b is null
        a in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '1', 'a', x'31', '', x'', 9e999, -9e999, 1.5, null)
        a not in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '1', 'a', x'31', '', x'', 9e999, -9e999, 1.5)
    """,
    "loose": """
        i = 1 | i = '1' | i = 'x' | i > 1 | i > 'a' | i < 'a' | i < x'' | i = x'31' | i = 1.0 | i = 1.5 | i = 9007199254740992.0
        r = 1 | r = '1' | r = 'y' | r = '' | r = 1.5 | r = '1.50' | r = 9007199254740993 | r = 9007199254740992 | r > 9007199254740992
        t = 'a' | t = 'A' | t != 'a' | t < 'B' | t > 'a' | t in ('a', 'b') | t not in ('a') | t = '1' | t = '1.5' | t = 1 | t = x'31'
        t between 'A' and 'B' | t contains 'A' | t starts with 'a' | t like 'a' | t like 'a' ignoring case | t > '' | t > x''
        v = 'a' | v = 'a ' | v != 'a' | v > 'a' | v in ('a') | v in ('a ', null) | v = '' | v between 'a' and 'a ' | v < '9'
        n = 1 | n = '1' | n = 100 | n = '1e2' | n = 'z' | n in ('1', 'z') | n = '' | n >= '' | n < 0 | n = 9007199254740993
        b = 1 | b = '1' | b = 1.5 | b = 'a' | b = x'31' | b contains 'é' | b > 'a' | b >= x'' | b in (1, '1', 'a', null)
        x = 1 | x = 1.0 | x = '1' | x = 'A' | x = 'a' | x = 9e999 | x = x'' | x < '' | x like '%' | x not like '%'
        d = 2021 | d = '2021' | d > 2020 | d < '2021' | d = '' | d = x'' | d = 5 | d = ' 5 ' | d starts with '2020' | d = 1000
        i = r | i = t | t = i | t = v | v = t | t < v | i < t | n = i | i = n | x = i | i = x | x = t | t = x | b = x | b != x | t != b
        b = i | r = n | d > i | not i = t | not t < v | id = i | id = x | id = 't' | id = t | id in (1, '1') | id < x | t >= id
        i between 1 and 'x' | i between '1' and '2' | r between 1 and 2 | t between i and x | v between t and t | x between '' and x''
        i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, '1', 'x', x'31', null)
        t in ('0', '1', '2', '3', '4', '5', '6', '7', '8', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    """,
    "logic": """
        p = 1 and q = 1 | p = 1 or q = 1 | not p = 1 | not (p = 1 and q = 1) | not p = 1 or not q = 1 | not (p = 1 or q = 1)
        not p = 1 and not q = 1 | not not p = 1 | not not not p = 1 | p = 1 or q = 1 and w = 'a' | (p = 1 or q = 1) and w = 'a'
        not p = 1 and q = 1 | not p = 1 or q = 1 | p > 0 or not p > 0 | p > 0 and not p > 0 | p = q or not p = q | p < q or p >= q
        true | false | not true | not false | true and false or true | true or false and false | not true or true | TRUE | not (true)
        p = 1 and true | p = 1 and false | p = 1 or true | p = 1 or false | not (p = 1 or false) | p = true | p = false | p != true
        ((p = 1)) | (((p = 1) and (q = 1))) | not (not (p = 1 and not q is null)) | p is null and q is null | p is null = q is null
        p = 0 or p = 1 or p is null | p != 0 and p != 1 and p is not null | p in (0) or q in (1) and not w in ('a', null)
        p between 0 and 1 and q between 1 and 1 | not p between 0 and 0 and q = 1 | p between 0 and 1 or q is null | p = q and q = p
        p = 1 and p = 1 and p = 1 | p = 1 or p = 1 | p = 1 and p = 0 | p and q | p | not p | (p = 1 | p = 1) | () | p = 1 and
        and p = 1 | p = 1 or or q = 1 | not | p = 1 q = 1 | p = 1, q = 1 | p = 1; | p = 1 && q = 1 | ! p = 1 | not(p = 1)
        p=1and q=1 | p=1 and(q=1)or(q=0) | null | p = 1 /* q */ | where p = 1 | p in 1 | p in (q) | p in (1,) | p in (,)
        p = 1 xor q = 1 | p is true | p is not 1 | p not null | p isnull | p between 1, 2 | p between (1 and 2) | p not not in (1)
        p <= q and q <= p | p != q and not p = q | p = q or (p is null and q is null) | not (p < q) and not (p > q) | w = 'a' or w is null
    """,
    "names": """
        \"base attack\" > 50 | base attack > 50 | \"select\" = 'a' | select = 'a' | \"and\" = 1 | and = 1 | ключ = 'да' | \"ключ\" > 'д'
        \"it\"\"s\" = 5 | \"it\"s\" = 5 | first = 1 | FIRST = 1 | \"first\" in (0, 2) | é = 1 | \"é\" = 1 | \"e\u0301\" = 1 | e\u0301 = 1
        \"\" = 1 | \"base attack = 1 | first = \"and\" | \"and\" = first | first < \"base attack\" | \"select\" < ключ
        \"base attack\" is null | not \"and\" = first | \"AND\" = 1 | [first] = 1 | `first` = 1 | frist = 1 | Ключ = 'да'
        \"select\" like '_' and ключ ends with 'а' | ключ contains 'Е' ignoring case | ключ starts with 'Н' ignoring case | \"first\"=1
    """,
}
COLUMNS = {
    "numbers": (["i", "j", "r", "s", "id"], INTEGERS + REALS),
    "texts": (["t", "u"], TEXTS),
    "kinds": (["a", "b", "d", "t", "n"], INTEGERS + REALS + TEXTS + BLOBS),
    "loose": (["i", "r", "t", "v", "n", "b", "x", "d"], INTEGERS + REALS + TEXTS + BLOBS),
    "logic": (["p", "q", "w"], ["0", "1", "2", "'a'", "'b'", "null"]),
    "names": (['"base attack"', '"select"', '"and"', "ключ", '"it""s"', "first"], ["1", "5", "90", "'a'", "'нет'", "null"]),
}
SHARES = {"numbers": 220, "texts": 230, "kinds": 180, "loose": 220, "logic": 110, "names": 40}


def condition(name, pick):
    columns, values = COLUMNS[name]
    key = pick(columns)
    negation = pick(["", "", "not "])
    shape = pick("rrrrkkbbiiittt")
    if shape == "r":
        return f"{pick(['', '', 'not '])}{key} {pick(RELATIONS)} {pick(values + ['null'])}"
    if shape == "k":
        return f"{pick(['', '', 'not '])}{key} {pick(RELATIONS)} {pick(columns)}"
    if shape == "b":
        bounds = values + columns + ["null"]
        return f"{key} {negation}between {pick(bounds)} and {pick(bounds)}"
    if shape == "i":
        return f"{key} {negation}in ({', '.join(pick(values + ['null']) for _ in range(pick([1, 2, 3, 5])))})"
    operation = pick(["contains", "starts with", "ends with", "like", "like"])
    text = pick(PATTERNS if operation == "like" else TEXTS)
    return f"{key} {negation}{operation} {text}{pick(['', ' ignoring case'])}"


def query(name, pick, depth):
    shape = pick(["condition", "and", "or", "not"]) if depth > 0 else "condition"
    if shape == "condition":
        return condition(name, pick)
    if shape == "not":
        return f"not ({query(name, pick, depth - 1)})"
    sides = [query(name, pick, depth - 1) for _ in range(2)]
    return f" {shape} ".join(f"({side})" if pick([True, False]) else side for side in sides)


def clauses(name, table, chance):
    found = []
    for line in WHOLE[name].strip().splitlines():
        # Newline and bar part them; what SQL and C write with a bar is spelled out.
        found += [clause.strip() for clause in line.replace("||", "\0").split(" | ")]
    found = [clause.replace("\0", "||") for clause in found]
    assert len(found) == len(set(found)) <= SHARES[name], (name, len(found), [c for c in found if found.count(c) > 1])
    errors = 0
    while len(found) < SHARES[name]:
        clause = query(name, chance.choice, chance.choice([0, 0, 0, 1, 2, 3]))
        expected, _ = answer(clause, table)
        # Few that are refused or mean nothing or everything: what is chosen here should tell rows apart.
        dull = expected.startswith("error") or expected in ("none", " ".join(str(row["id"]) for row in table.rows))
        if clause in found or dull and chance.random() < 0.93:
            continue
        found.append(clause)
    return found


def main():
    chance = random.Random(151)
    total = asked = refused = 0
    lines = ["# Written by generate.py, which explains the format by writing it: do not edit.",
             "# A table's statements, then clauses, each above the ids that it means, or above words of its error."]
    for name in TABLES:
        table = Table(name)
        lines += ["", f"table {name}"] + TABLES[name]
        for clause in clauses(name, table, chance):
            expected, was_asked = answer(clause, table)
            lines += ["", f"query {clause}", expected]
            total, asked, refused = total + 1, asked + was_asked, refused + expected.startswith("error")
    text = "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        with open(FILE, encoding="utf-8") as file:
            sys.exit(None if file.read() == text else f"{FILE}: not as generate.py writes it; run it again")
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{total} clauses: {refused} refused, {asked} checked against SQLite {sqlite3.sqlite_version}")


main()
