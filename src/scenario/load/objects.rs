//! Loads manifests alone, for what makes something else of them than a plan.

use std::path::Path;

use super::{Failure, KEPT, is_scenario};
use crate::objects::Lists;
use crate::scenario::diagnostic::{Diagnostic, Diagnostics, Located, Severity};
use crate::scenario::limits::Limits;
use crate::scenario::manifest::{self, Notice, Objects, Survey};
use crate::scenario::reader;
use crate::scenario::source::Sources;
use crate::scenario::tree::Place;

/// Reads files one after the other; of their trees only the objects are kept.
#[derive(Debug, Default)]
pub struct ObjectsLoader {
    sources: Sources,
    diagnostics: Diagnostics,
    lists: Lists,
    objects: Objects,
}

/// The objects of some manifests.
#[derive(Debug)]
pub struct LoadedObjects {
    /// Nodes and Pods, with a survey of what is there beside them.
    pub objects: Objects,
    /// Their taints and tolerations.
    pub lists: Lists,
    /// The texts, for the places of notices.
    pub sources: Sources,
}

impl ObjectsLoader {
    /// A loader that also counts what is there and not read.
    pub fn new(limits: Limits) -> ObjectsLoader {
        let sources = Sources::within(limits);
        let mut loader = ObjectsLoader { sources, ..ObjectsLoader::default() };
        loader.objects.survey = Some(Box::new(Survey::default()));
        loader
    }

    /// Reads a file, or standard input for `-`.
    pub fn file(&mut self, path: &Path) {
        let read = self.sources.read(path, None);
        self.source(read);
    }

    /// Reads a text that is called `name`.
    pub fn text(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        let added = self.sources.add_bytes(name, text.into());
        self.source(added);
    }

    fn source(&mut self, read: Result<u16, Diagnostic>) {
        let source = match read {
            Ok(source) => source,
            Err(diagnostic) => return self.diagnostics.push(diagnostic),
        };
        let mut documents = reader::read_kept(&self.sources, source, KEPT, &mut self.diagnostics);
        documents.retain(|node| {
            if !is_scenario(node) {
                return true;
            }
            let place = Place { end: node.place.start + 1, ..node.place };
            self.diagnostics.error_help(
                place,
                "it is a scenario already; import makes one of manifests",
                "run it with `taintsim replay FILE`; more manifests go with it as `-f MANIFESTS`",
            );
            false
        });
        let ObjectsLoader { lists, objects, diagnostics, .. } = self;
        manifest::collect(&documents, "default", lists, objects, diagnostics);
    }

    /// What was read.
    ///
    /// # Errors
    /// Everything that is wrong with it; also where there is not one Node or Pod, but for a list
    /// that says itself that it is empty.
    pub fn finish(mut self) -> Result<LoadedObjects, Failure> {
        self.objects.finish();
        self.objects.refuse_others_alone(Place::default(), &mut self.diagnostics);
        if !self.diagnostics.is_empty() {
            return Err(Failure::new(self.sources, self.diagnostics));
        }
        let of_sources = self.sources.notices().iter().map(|notice| Notice {
            place: notice.place,
            message: notice.message.clone(),
            general: notice.message.clone(),
        });
        let mut notices: Vec<Notice> = of_sources.collect();
        notices.append(&mut self.objects.notices);
        self.objects.notices = notices;
        Ok(LoadedObjects { objects: self.objects, lists: self.lists, sources: self.sources })
    }
}

impl LoadedObjects {
    /// A notice as a line for the user, with its place.
    pub fn line(&self, notice: &Notice) -> String {
        let notice = notice.clone().into();
        Located::new(&notice, Severity::Notice, &self.sources).one_line()
    }
}
