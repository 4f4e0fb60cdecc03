"""Entailment models: does a hypothesis follow from a premise?"""
