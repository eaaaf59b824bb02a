"""Draws how the time of each row grows with the vocabulary: growth.py RESULTS.json FIGURE.svg (called by scripts/bench --growth)."""
import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "bankml"  # the same bytes for the same numbers
matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)

results, figure = sys.argv[1:3]
with open(results, encoding="utf-8") as file:
    rows = json.load(file)

names = list(dict.fromkeys(row["row"] for row in rows))
columns = 4
lines = -(-len(names) // columns)
plot, axes = plt.subplots(lines, columns, figsize=(14, 3.2 * lines), sharex=True, sharey=True)
for place, name in zip(axes.flat, names):
    mine = sorted((row["vocab"], row["ours_us"], row["peer_us"], row["scan_us"]) for row in rows if row["row"] == name)
    vocab = [point[0] for point in mine]
    for column, label, style in ((2, "llama.cpp", "s-"), (1, "bankml", "o-"), (3, "scan", ":")):
        place.loglog(vocab, [point[column] for point in mine], style, label=label, markersize=3)
    place.set_title(name, fontsize=10)
    place.grid(True, which="major", alpha=0.3)
for place in axes.flat[len(names):]:
    place.set_visible(False)
axes.flat[0].legend(fontsize=8)
plot.supxlabel("vocabulary size")
plot.supylabel("microseconds a draw (median)")
plot.tight_layout()
plot.savefig(figure, metadata={"Date": None})
