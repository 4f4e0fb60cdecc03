"""What is known of the samples of a run without their texts: their columns, and which of them look alike."""
