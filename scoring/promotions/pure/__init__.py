"""The logic of the year-end category change, without a database: steps, selection, averages, documents."""
