extension CommandList {
  /// The commands of the tool, in the order of the help.
  static let repokit = CommandList(
    sections: [
      (
        "Look",
        [
          TablesCommand.self, SchemaCommand.self, DescribeCommand.self, QueryCommand.self, CountCommand.self,
          GroupCommand.self, ExplainCommand.self, WatchCommand.self,
        ]
      ),
      ("Change", [ImportCommand.self, InsertCommand.self, SetCommand.self, DeleteCommand.self, IndexCommand.self]),
      ("Keep", [ExportCommand.self, BackupCommand.self, CheckCommand.self]),
      ("More", [ShellCommand.self, CompletionsCommand.self, HelpCommand.self]),
    ],
    hidden: [CompleteCommand.self])
}
