"""The report as PDF/A-3a and PDF/UA-1, set by Typst from data: no text of a report is ever markup."""
