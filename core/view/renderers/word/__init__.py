"""The report as a Word document (Office Open XML, ISO/IEC 29500), made element by element: no text is ever markup."""
