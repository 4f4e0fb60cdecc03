"""Sign-in: without it nothing but the sign-in screen is answered."""
