// One import gives what a program needs that finds and saves: `import Repository`, or a store's module.
@_exported public import Query
