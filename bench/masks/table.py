"""One table out of what bankml_mask_bench and peers.py wrote:  python table.py OURS.json PEERS.json [OUT.json]"""
import json
import sys

ours, peers = (json.load(open(name)) for name in sys.argv[1:3])
rows = [row for row in ours if "tokens" in row]


def figures(result, key):
    """average / p50 / p99 / max"""
    if result is None or key not in result:
        return "-" if result is None else result.get("error", "-")[:44]
    return " / ".join(f"{result[key][name]:,.{2 if result[key][name] < 10 else 0}f}" for name in ("average", "p50", "p99", "max"))


print("\nmicroseconds: average / p50 / p99 / max of a mask; compile apart. Per place the least of ten walks.")
for row in rows:
    print(f"\n{row['row']}, {row['tokens']} tokens")
    everyone = [("bankml", row)] + [(name, peers.get(row["row"], {}).get(name)) for name in ("llguidance", "xgrammar")]
    for name, result in everyone:
        compile_us = f"{result['compile_us']:,.0f}" if result and "compile_us" in result else "-"
        held = f"{result['bytes'] / 1024:,.0f} KiB" if result and "bytes" in result else ""
        print(f"  {name:<12} compile {compile_us:>10}   cold {figures(result, 'cold'):<36}  warm {figures(result, 'warm'):<36}  {held}")
    print(f"  {'copied':<12} {'':<18}   {'':<41}  warm {figures(row, 'warm_copied')}")
    print(f"  {'llama.cpp':<12} {'':<18}   cold {figures(row, 'llama.cpp')}")
    row["peers"] = peers.get(row["row"], {})
if len(sys.argv) > 3:
    with open(sys.argv[3], "w") as out:
        json.dump(ours, out, indent=1)
