"""States: which a minion gets, as high data and as lowstate."""
