/** What the page of a bench adds to the style sheet of the report: charts drawn for a desk and for a phone, wide tables. */
export const benchStyle = `
.bench-page{padding-top:2rem}
.bench-page section{margin:3rem 0}
.bench-page .doubt{border-color:var(--bad);color:var(--bad);font-weight:600}
.tile-head{font-weight:600;margin:1.5rem 0 0}
.bench-page .numbers dl{grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));margin:.75rem 0 1.5rem}
.bench-page .number{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.all-curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,23rem),1fr));gap:1.75rem 2.5rem;margin:1.5rem 0}
.curves{min-width:0}
.curves-title{font-weight:600;margin:0}
.curves .note{margin:0}
.curves .chart{margin:.5rem 0 0;max-width:30rem}
.curves .desk .chart{max-width:54rem}
.curves .chart svg{width:100%}
.curves .desk{display:none}
@media(min-width:60rem){.curves.wide{grid-column:span 2}.curves.wide .desk{display:block}.curves.wide .phone{display:none}}
.keys{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.4rem 0 0;padding:0;font-size:.83rem}
.keys i{display:inline-block;width:1.1rem;border-top:2.5px solid;margin-right:.4rem;vertical-align:.25em}
.keys i.dashed{border-top-style:dashed}
.keys i.band{border:0;height:.7rem;background:var(--v3);opacity:.22;vertical-align:-.05em}
.curves .dot{fill:currentColor;stroke:var(--ground)}
.curves polygon.band{fill:var(--v3);opacity:.16}
.curves line.objective{stroke:var(--bad);stroke-dasharray:6 4}
.curves line.knee{stroke:var(--warn);stroke-width:1.4}
.curves .on-plot{font-size:11px;paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
.curves .on-plot.objective{fill:var(--bad)}
.curves .on-plot.mark{fill:var(--warn);font-weight:600}
.curves .on-plot.point{font-weight:600}
.caption{margin:1.25rem 0 0}
table.bench{min-width:100%}
table.bench tbody th{font-weight:600;white-space:nowrap;max-width:none}
table.bench th:first-child{position:sticky;left:0;z-index:1;background:var(--ground);text-align:left}
table.bench .words{text-align:left}
table.bench .message{white-space:normal;min-width:16rem;max-width:30rem}
table.bench .range{display:block;font-size:.78rem}
table.bench tr.chosen>*{background:var(--raised)}
svg.lost{display:inline-block;width:5rem;height:.7rem;margin-right:.5rem;vertical-align:-.03em;background:var(--grid)}
svg.lost rect{fill:var(--bad)}
@media(max-width:40rem){.bench-page{padding-top:1rem}table.bench tbody th{white-space:normal;min-width:6rem}}
`
