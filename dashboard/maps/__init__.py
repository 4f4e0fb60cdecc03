"""Maps that pages show: what the browser asks for of them besides the page itself."""
