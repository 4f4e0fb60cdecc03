"""How often attacks succeed beyond their controls, corrected for what the detector gets wrong."""
