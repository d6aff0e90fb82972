//! Items of an audit that no rule decides, asked group by group; and whether works support the sentences that cite them.

mod judge;
