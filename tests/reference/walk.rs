//! Ways into documents, and which mapping of the data stands where.

use serde_yaml::Value;
use taintsim::reference::{Mapping, SCENARIO};

/// A way into a document: keys and indexes.
pub type Path = Vec<Result<String, usize>>;

/// Where the values of a document are, itself first.
pub fn values(document: &Value) -> Vec<Path> {
    fn walk(value: &Value, path: &Path, found: &mut Vec<Path>) {
        found.push(path.clone());
        let next = |step| path.iter().cloned().chain([step]).collect();
        match value {
            Value::Mapping(mapping) => {
                for (key, value) in mapping {
                    walk(value, &next(Ok(key.as_str().unwrap().to_owned())), found);
                }
            }
            Value::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &next(Err(index)), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(document, &Path::new(), &mut found);
    found
}

pub fn at<'v>(document: &'v mut Value, path: &Path) -> &'v mut Value {
    path.iter().fold(document, |value, step| match step {
        Ok(key) => &mut value[key.as_str()],
        Err(index) => &mut value[*index],
    })
}

/// The mapping of the language that stands there; none where any key may, as in labels.
pub fn mapping(path: &Path) -> Option<&'static Mapping> {
    path.iter().try_fold(&SCENARIO, |mapping, step| match step {
        Ok(key) => mapping.field(key).unwrap_or_else(|| panic!("no {key} in {path:?}")).mapping(),
        Err(_) => Some(mapping),
    })
}
