"""Panels of the Glossary page."""
