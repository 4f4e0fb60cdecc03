"""Steps that compute what metrics read of a block of samples, one file per step."""
