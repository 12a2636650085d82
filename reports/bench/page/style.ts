/** The page's style sheet: one column on a phone, light and dark by the reader's setting. Series colours: Okabe & Ito. */
export const style = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b6470;--faint:#e4e7eb;--paper:#fff;--card:#f7f8fa;--good:#0a7a52;--bad:#b3261e;--mark:#8a5a00;--band:#009e7326;
--c0:#0072b2;--c1:#c2540a;--c2:#00805e;--c3:#a4508b;--c4:#a06a00;--c5:#2b87bd}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a3acb8;--faint:#30363d;--paper:#111417;--card:#191e23;--good:#4cc38a;--bad:#ff8a80;--mark:#e6b450;--band:#4cc38a30;
--c0:#56b4e9;--c1:#ff8f4d;--c2:#3fc79a;--c3:#dd8fc4;--c4:#e6b450;--c5:#8ecbf2}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:84rem;margin:0 auto;padding:2rem 1.25rem 4rem}
.eyebrow{max-width:none;color:var(--soft);font-size:.85rem;letter-spacing:.04em;margin:0}
h1{font-size:clamp(1.45rem,1rem + 1.6vw,2.3rem);line-height:1.22;font-weight:650;letter-spacing:-.01em;max-width:46ch;margin:.4rem 0 .8rem;text-wrap:balance}
h2{font-size:1.2rem;margin:2.6rem 0 .3rem;padding-top:1.1rem;border-top:1px solid var(--faint)}
p{max-width:72ch;margin:.4rem 0}
.soft,figcaption,.tiles span,.caption{color:var(--soft)}
.doubt{border-left:3px solid var(--bad);padding-left:.75rem;color:var(--bad);font-weight:600}
.tile-head{margin:1.2rem 0 -.6rem;font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.4rem 0;padding:0;list-style:none}
.tiles li{background:var(--card);border-radius:10px;padding:.75rem .9rem}
.tiles b{display:block;font-size:1.45rem;font-weight:650;line-height:1.25;font-variant-numeric:tabular-nums}
.tiles span{font-size:.82rem;line-height:1.35;display:block}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.5rem 2rem;margin:1rem 0}
figure{margin:0}
figure svg{max-width:30rem}
figure .desk{display:none;max-width:54rem}
@media(min-width:60rem){figure.wide{grid-column:span 2}figure.wide .desk{display:block}figure.wide .phone{display:none}}
figcaption{font-size:.87rem;line-height:1.45}figcaption b{color:var(--ink);font-size:1rem;display:block}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.35rem 0;padding:0;font-size:.83rem}
.legend i{display:inline-block;width:1.1rem;height:0;border-top:2.5px solid;margin-right:.4rem;vertical-align:.25em}
.legend i.dashed{border-top-style:dashed}.legend i.band{border:0;height:.7rem;background:var(--band);vertical-align:-.05em}
svg{width:100%;height:auto;display:block;overflow:visible}
svg text{font-size:11px;fill:var(--soft);font-variant-numeric:tabular-nums;paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
svg polyline{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linejoin:round}
svg .dashed polyline{stroke-dasharray:5 4;stroke-width:1.7}
svg circle{fill:currentColor;stroke:var(--paper);stroke-width:1}
svg .whisker{stroke:currentColor;stroke-width:1.4;opacity:.55}
svg .grid{stroke:var(--faint)}svg polygon.band{fill:var(--band)}
svg line.objective{stroke:var(--bad);stroke-dasharray:6 4}svg text.objective{fill:var(--bad)}
svg line.mark{stroke:var(--mark);stroke-width:1.4}svg text.mark{fill:var(--mark);font-weight:600}svg text.point{fill:var(--ink);font-weight:600}
.c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}
.caption{font-size:.85rem;margin:1rem 0 0}
.scroll{overflow-x:auto;margin:.3rem 0 .8rem}
:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;min-width:100%}
th,td{padding:.38rem .8rem;text-align:right;border-bottom:1px solid var(--faint);white-space:nowrap;vertical-align:top}
thead th{font-weight:600;color:var(--soft);font-size:.82rem}
th:first-child,.words{text-align:left}tbody th{font-weight:600}
th:first-child{position:sticky;left:0;background:var(--paper);padding-left:0}
td small{display:block;color:var(--soft);font-size:.78rem;font-weight:400}
td.message{white-space:normal;min-width:16rem;max-width:30rem}
.unknown{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}
tr.best>*{background:var(--card)}
@media(max-width:40rem){main{padding:1.25rem .9rem 3rem}th,td{padding:.38rem .5rem}tbody th{white-space:normal;min-width:6rem}}
.bar{display:inline-block;height:.7rem;border-radius:2px;background:var(--bad);margin-right:.5rem;vertical-align:-.03em}
details{margin:.8rem 0}summary{cursor:pointer;font-weight:600}
@media print{main{padding:0}.scroll{overflow:visible}h2{break-after:avoid}figure,tr{break-inside:avoid}}
`
