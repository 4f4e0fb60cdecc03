"""Every verdict on data in which nothing is to be found: `python -m benchmarks.battery` prints how often each errs."""
