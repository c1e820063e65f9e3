/// One property of a model type within a query closure; comparing it makes a query.
///
/// Its operators are declared here and nowhere else, so that plain Swift expressions keep their meaning.
public struct Field<Property> {
  let key: String
}
