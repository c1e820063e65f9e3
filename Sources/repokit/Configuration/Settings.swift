/// How the tool behaves where a command's own arguments don't say so: by the configuration file, and by the options that
/// every command takes.
struct Settings {
  var color = ColorChoice.auto
  /// The program through which long output goes on a terminal; none where it is empty. `nil` for PAGER, or else `less`.
  var pager: String?
  /// The form in which rows are printed; `nil` for one that suits who reads them.
  var format: FormatName?
  /// Whether failures tell all that is known, the SQL included.
  var isVerbose = false

  init() {}

  /// These settings, but for what the options of a call say.
  ///
  /// - Throws: ``Failure`` where an option has a value that it does not know.
  func overridden(by arguments: Arguments) throws(Failure) -> Settings {
    var settings = self
    if let color = try arguments.choice(CommonOptions.color, of: ColorChoice.self) { settings.color = color }
    if arguments.has(CommonOptions.noPager) { settings.pager = "" }
    if arguments.has(CommonOptions.verbose) { settings.isVerbose = true }
    return settings
  }
}
