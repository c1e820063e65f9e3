// One import gives what a program needs that finds and saves: `import SQLiteStore`.
@_exported public import Repository
