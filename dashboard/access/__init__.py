"""Who may talk to the server, what each answer says to the browser, and how much may be sent to it."""
