use crate::registry::Absent;

/// Not supported yet. The HTML report is designed for printing.
pub(crate) const PDF: Absent = Absent {
    format: "pdf",
    hint: "open report.html in a browser and print it to PDF; printing expands all sections",
};
