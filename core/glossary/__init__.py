"""The meaning of the words and symbols on screens and in reports, with their sources: one glossary for all of them."""
