"""What is fixed before anybody judges by it: what a report rests on."""
