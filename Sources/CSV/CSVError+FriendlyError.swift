public import ErrorHandling

extension CSVError: FriendlyError {}
