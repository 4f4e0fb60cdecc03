"""Files of a corpus into documents: .md .txt .html .pdf .docx .csv .jsonl, folders, zip archives.

A file that can't be read is left out and named, with what to do about it; all others are read. To add a format: one
reader that fills a `DocumentBuilder`, and one row in `parse.FORMATS`.
"""

from __future__ import annotations

from hcat.core.importers.documents.reading import read_documents, read_files
from hcat.core.importers.documents.sources import DocumentFile, files_at, uploaded_files

__all__ = ["DocumentFile", "files_at", "read_documents", "read_files", "uploaded_files"]
