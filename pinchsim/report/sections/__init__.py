"""The sections of the report, a file each: see `pinchsim.report.section`. They show what was measured and compute nothing."""
