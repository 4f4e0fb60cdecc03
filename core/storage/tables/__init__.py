"""The database's tables; rows never leave the storage package."""
