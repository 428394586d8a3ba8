"""What the schemes that award by place alone share: the Swedish and the American ones."""
