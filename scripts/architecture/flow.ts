/** A step on the way of one sample. */
export interface FlowStep {
  readonly name: string
  /** Room that does it. */
  readonly room: string
  /** The file that begins it, from the repository's root. */
  readonly file: string
  /** Rooms whose values the step is given, or whose functions it calls. */
  readonly uses: readonly string[]
  /** What is on disk before the next step begins; null: nothing new. */
  readonly writes: string | null
}

/** The way of one sample, in one direction. */
export const flow: readonly FlowStep[] = [
  { name: "config", room: "src/config", file: "src/config/load.ts", uses: ["datasets", "metrics"], writes: null },
  {
    name: "plan",
    room: "src/run",
    file: "src/run/plan.ts",
    uses: ["datasets"],
    writes: "record, samples",
  },
  {
    name: "generate",
    room: "src/run",
    file: "src/run/generate/generate.ts",
    uses: ["src/providers", "src/capture", "src/cost"],
    writes: "answers, event logs",
  },
  {
    name: "score",
    room: "src/score",
    file: "src/score/score.ts",
    uses: ["metrics", "judges", "src/encoders"],
    writes: "rows",
  },
  {
    name: "summarise",
    room: "src/analyse",
    file: "src/analyse/summary/summarise.ts",
    uses: ["src/stats", "src/perf", "src/cost"],
    writes: null,
  },
  {
    name: "compare",
    room: "src/analyse",
    file: "src/analyse/compare/compare.ts",
    uses: ["src/analyse/frontier", "src/analyse/decide", "src/stats"],
    writes: "report",
  },
  { name: "report", room: "reports", file: "reports/export/html.ts", uses: [], writes: null },
]
