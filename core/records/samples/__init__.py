"""The properties of a run's samples without their texts: their columns, and which of them look alike."""
