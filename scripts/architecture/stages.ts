/** A folder of `src/engine`, in the order in which a sample meets them. */
export interface Stage {
  readonly name: string
  readonly does: string
}

/** The engine's stages. */
export const stages: readonly Stage[] = [
  { name: "run", does: "plan, call the models (`generate/`), budget, progress, early stopping, the run's record" },
  { name: "distribute", does: "one run over many machines: slices, coordinator, workers, leases of what they share" },
  { name: "score", does: "answers → rows of every metric; embedders and judges on demand; foreign files" },
  { name: "compare", does: "pair two variants by sample: differences, intervals, tests, verdict per metric" },
  { name: "frontier", does: "the Pareto set with its uncertainty; cascades and routers simulated from the rows" },
  { name: "decide", does: "one verdict: swap, keep, or more samples; constraints, gate, power, trend" },
  { name: "report", does: "rows → summaries, sections, judge cards: the report that every format renders" },
  {
    name: "episode",
    does: "conversations and loops over tools: one answer of several steps, each on disk before the next",
  },
  { name: "bench", does: "load tests: loops, sweeps, rate search, quality under load" },
]
