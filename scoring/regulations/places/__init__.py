"""Code shared by the schemes that award by place alone: the Swedish and the American ones."""
