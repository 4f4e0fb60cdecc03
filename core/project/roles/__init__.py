"""What each role allows, and whether whoever acts has it."""
