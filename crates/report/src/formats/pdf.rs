use crate::registry::Absent;

/// Not written yet; the HTML report is made to be printed.
pub(crate) const PDF: Absent = Absent {
    format: "pdf",
    hint: "open report.html in a browser and print it to PDF: every fold is opened for print",
};
