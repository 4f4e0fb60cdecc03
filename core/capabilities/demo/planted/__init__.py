"""A third run of the demo, "safety probes": the candidate system with faults that were built in on purpose.

It shows validators what each kind of test detects, and the tests of hcat check that each fault is detected.
To add a fault:

1. Write a module here with one `PlantedFault` or several: a name, the questions that test it, the passages that it
   adds to the corpus, and `spoil`, which changes the system's answer if the fault applies and returns None
   otherwise. Ask the same number of harmless questions, so that false alarms would be seen too.
2. Add it to `planted_faults` in `hcat.core.capabilities.demo.planted.table`.
3. Test in `tests/core/capabilities/demo/planted/` that your metric or command finds each answer that the fault changed, and no
   other.

The run is made by `planted_run`. A changed sample is marked in `metadata["planted"]`, which no metric reads; the
dimension `probe` has the fault's name for spoilt and harmless questions alike. Keep to some dozen questions a fault:
the demo starts with this run.
"""
