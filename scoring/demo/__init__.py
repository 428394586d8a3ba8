"""An invented federation to try the application with. Nobody and no club in it exists."""
