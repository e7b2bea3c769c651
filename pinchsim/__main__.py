"""`python -m pinchsim` is the command `pinchsim`."""

from pinchsim.cli.main import main

main(prog_name="pinchsim")
