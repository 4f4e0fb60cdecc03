"""What the product is made of: pins with hashes, an inventory, and licences."""
