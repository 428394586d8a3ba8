"""The addresses of the interface that anybody may read: what the public pages show, as JSON."""
