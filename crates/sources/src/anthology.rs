//! The ACL Anthology: computational linguistics, imported from its published data and searched on this machine. It has no search interface. The data
//! is a folder of XML files, `data/xml` of <https://github.com/acl-org/acl-anthology>, which the corpus imports.

use std::path::Path;
use std::sync::Arc;

use crate::CorpusSource;
use crate::source_kind::SourceKind;

const ID: &str = "acl";

pub(crate) const KIND: SourceKind = SourceKind {
    id: ID,
    about: "the ACL Anthology, with most abstracts, searched on this machine: download its data (github.com/acl-org/acl-anthology, folder data/xml), \
`precedent corpus add anthology acl-anthology/data/xml`, then name the resulting folder, not the XML, in the settings ([sources.acl] corpus = \"…/anthology\") or as acl:FOLDER",
    usual_place: true,
    leaves_machine: false,
    open: |folder| Ok(Arc::new(CorpusSource::open(Path::new(folder))?.called(ID))),
};
