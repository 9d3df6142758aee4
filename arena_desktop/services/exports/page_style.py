"""The style sheet of the page: light and dark as the reader's system has it, light on paper."""

_LIGHT = (
    "--paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d0d7de;--wash:#f3f5f8;--mark:#1f6feb;--grey:#8c959f;"
    "--win:#1f6feb;--loss:#c2410c;--c0:#1f6feb;--c1:#c2410c;--c2:#15803d;--c3:#7c3aed;--c4:#b45309;--c5:#0e7490;"
    "--c6:#be185d;--c7:#4d7c0f"
)
_DARK = (
    "--paper:#14181d;--ink:#e6e9ee;--soft:#a3adb8;--rule:#39424d;--wash:#1d232b;--mark:#79b0ff;--grey:#7d8894;"
    "--win:#5a9cff;--loss:#fb8a4c;--c0:#79b0ff;--c1:#fb923c;--c2:#4ade80;--c3:#c4a5ff;--c4:#fbbf24;--c5:#4dd0e1;"
    "--c6:#f78fc0;--c7:#a3d955"
)
_COLOURS = "".join(
    f".s{place}{{stroke:var(--c{place})}}.t{place}{{fill:var(--c{place})}}.f{place}{{fill:var(--c{place})}}"
    for place in range(8)
)
STYLE = f"""
:root{{color-scheme:light dark;{_LIGHT}}}
@media (prefers-color-scheme:dark){{:root{{{_DARK}}}}}
@media print{{:root{{color-scheme:light;{_LIGHT}}}}}
*{{box-sizing:border-box;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
body{{margin:0 auto;max-width:1180px;padding:24px 20px 64px;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}}
h1{{font-size:26px;margin:0 0 4px}}h2{{font-size:19px;margin:36px 0 8px}}
p{{margin:6px 0;max-width:75ch}}.verdict{{font-size:17px}}.soft,figcaption{{color:var(--soft)}}
.scroll{{overflow-x:auto}}table{{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}}
caption{{text-align:left;color:var(--soft);padding:0 8px 4px}}
th,td{{padding:5px 7px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}}
thead th{{color:var(--soft);font-weight:600;vertical-align:bottom}}
tbody th{{text-align:left;font-weight:600}}th:first-child{{text-align:left}}
.prose th,.prose td{{white-space:normal;text-align:left;vertical-align:top}}
tr.tier>*{{border-top:2px solid var(--soft)}}
code,pre{{font:12.5px/1.45 ui-monospace,Consolas,"DejaVu Sans Mono",monospace}}code{{overflow-wrap:anywhere}}
tbody code{{display:block;color:var(--soft);font-weight:400}}
figure{{margin:16px 0;break-inside:avoid}}svg{{max-width:100%;height:auto;vertical-align:middle}}
td svg{{max-width:none}}
.methods{{white-space:pre-wrap;font:inherit;max-width:90ch}}summary{{cursor:pointer}}
dl{{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}}dt{{color:var(--soft)}}dd{{margin:0}}
text{{font:13px system-ui,"Segoe UI",Arial,sans-serif;fill:var(--ink)}}.tick,.axis{{fill:var(--soft);font-size:12px}}
.label,.faint{{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}}
.faint{{fill:var(--grey);font-size:12px}}.cell{{font-size:11px}}.tiny{{font-size:10px}}
.grid{{stroke:var(--rule);stroke-width:1}}.whisker{{stroke:var(--mark);stroke-width:2}}.dot{{fill:var(--mark)}}
.muted{{fill:var(--grey)}}.muted-line{{stroke:var(--grey)}}.band0{{fill:var(--paper)}}.band1{{fill:var(--wash)}}
.win{{fill:var(--win)}}.loss{{fill:var(--loss)}}.never{{fill:none;stroke:var(--rule);stroke-dasharray:2 2}}
.bar{{fill:var(--mark)}}.curve{{fill:none;stroke-width:2}}.other{{stroke:var(--grey);stroke-width:1;opacity:.5}}
.spread{{opacity:.15}}.marker{{stroke:var(--soft);stroke-dasharray:4 3;opacity:.5}}
{_COLOURS}
"""
