"""Personal data, secrets, instructions and copied text in answers, and whether an answer was free to say them."""
