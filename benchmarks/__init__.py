"""Speed, as ratios measured in one run on one machine; run one with python -m benchmarks.NAME."""
