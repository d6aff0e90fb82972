//! Room read.
