"""The rules of the year-end category change, without a database: states, lists, modified averages, JSON."""
