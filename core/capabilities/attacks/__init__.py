"""Success of attacks beyond their controls, corrected for the detector's errors."""
