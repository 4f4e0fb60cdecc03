"""Frameworks of regulators and standards bodies, as data: which clause is served by which chapter of a report."""
