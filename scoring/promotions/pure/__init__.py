"""The year-end category change without a database: which steps there are, lists, averages, differences."""
