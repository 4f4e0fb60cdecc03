"""A third run of the demo, "safety probes": the candidate system with faults that were built in on purpose.

A validator sees there what each kind of test finds, and a test of hcat checks that it finds it. To add a fault:

1. Write a module here with one `PlantedFault` or several: a name, the questions that are asked because of it, what
   it adds to the corpus, and `spoil`, which changes the system's answer where the fault strikes and returns None where
   it leaves the answer alone. Ask the same number of harmless questions, so that false alarms would be seen too.
2. Add it to `planted_faults` in `hcat.core.capabilities.demo.planted.table`.
3. Test in `tests/core/capabilities/demo/planted/` that your metric or command finds
   each answer that it spoilt, and no other.

The run is made by `planted_run`. A spoilt sample says so in `metadata["planted"]`, which no metric reads; the
dimension `probe` has the fault's name for spoilt and harmless questions alike. Keep to some dozen questions a fault:
the demo starts with this run.
"""
