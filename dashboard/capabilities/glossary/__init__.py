"""Glossary: the page and its commands."""
