"""Code shared by the schemes that award points by place alone: the Swedish federation's and the ACBL's."""
