"""Who has signed in: nothing but the sign-in screen is answered without it."""
