/** What a room is for, which decides its colour in the picture. */
export type RoomKind = "front" | "catalogue" | "engine" | "endpoint" | "storage" | "figures" | "ground"

/** A folder that holds one idea, and its place in the picture. */
export interface Room {
  /** Folder from the repository's root; `src/*.ts` are the entry points. */
  readonly path: string
  readonly kind: RoomKind
  /** One line for the table of `docs/architecture.md`. */
  readonly does: string
  /** A few words for the box in the picture. */
  readonly short: string
  /** Row in the picture, 0 at the top; imports point to a larger row. */
  readonly row: number
  /** Centre of the box in the row, 0..1. */
  readonly x: number
}

/** Files directly in `src`: what a user of the package imports. */
export const entryPoints = "src/*.ts"

/** Every room. A new folder of `src` or at the top needs a line here: the architecture's test says so. */
export const rooms: readonly Room[] = [
  {
    path: entryPoints,
    kind: "front",
    does: "what the package exports; holds no code of its own",
    short: "entry points",
    row: 0,
    x: 0.25,
  },
  {
    path: "src/cli",
    kind: "front",
    does: "one file a command: parse, call, print, exit code",
    short: "commands",
    row: 0,
    x: 0.75,
  },
  {
    path: "src/vitest",
    kind: "front",
    does: "`evalkit/vitest`: answers and small evaluations as tests",
    short: "in tests",
    row: 0.5,
    x: 0.5,
  },
  {
    path: "src/config",
    kind: "engine",
    does: "`defineConfig`, loading, validation, prompt templates",
    short: "what to run",
    row: 1,
    x: 0.37,
  },
  {
    path: "src/encoders",
    kind: "endpoint",
    does: "embedders, classifiers and moderation, and the workers that run them",
    short: "embedders",
    row: 1,
    x: 0.86,
  },
  {
    path: "datasets",
    kind: "catalogue",
    does: "read samples from files and URLs, perturb them, make counterfactual copies",
    short: "samples",
    row: 2,
    x: 0.08,
  },
  {
    path: "metrics",
    kind: "catalogue",
    does: "one metric a file, grouped by idea: `measure` one answer, summarise rows",
    short: "answer → row",
    row: 2,
    x: 0.22,
  },
  {
    path: "judges",
    kind: "catalogue",
    does: "a model with a rubric as a metric: rubrics, panels, pairwise comparison",
    short: "model as a metric",
    row: 2,
    x: 0.36,
  },
  {
    path: "src/engine",
    kind: "engine",
    does: "the stages of a run, one folder each (below)",
    short: "the stages of a run",
    row: 2,
    x: 0.51,
  },
  {
    path: "reports",
    kind: "catalogue",
    does: "a run as page, terminal text or file: a pure function of the report",
    short: "pages, tables, files",
    row: 2,
    x: 0.65,
  },
  {
    path: "src/providers",
    kind: "endpoint",
    does: "which endpoint is called and how: OpenAI-compatible, presets, local, command, recorded",
    short: "who is asked",
    row: 2,
    x: 0.86,
  },
  {
    path: "src/store",
    kind: "storage",
    does: "runs, samples, answers and rows on disk; archive and merge",
    short: "runs on disk",
    row: 4,
    x: 0.95,
  },
  {
    path: "src/queue",
    kind: "storage",
    does: "workers beyond one machine, behind one interface",
    short: "many machines",
    row: 6,
    x: 0.95,
  },
  {
    path: "src/interop",
    kind: "storage",
    does: "files of other tools, in and out",
    short: "other tools' files",
    row: 4,
    x: 0.7,
  },
  {
    path: "src/serving",
    kind: "endpoint",
    does: "start a server, wait until it is ready, watch its processes and GPU, stop it",
    short: "processes, GPU",
    row: 3,
    x: 0.95,
  },
  {
    path: "src/local-model",
    kind: "endpoint",
    does: "GGUF files (read, write, quantize) and the OpenAI-compatible server over them",
    short: "GGUF, server",
    row: 3,
    x: 0.8,
  },
  {
    path: "src/capture",
    kind: "endpoint",
    does: "transports, time stamps, event streams, capture threads",
    short: "the stopwatch",
    row: 4,
    x: 0.86,
  },
  {
    path: "src/stats",
    kind: "figures",
    does: "intervals, tests, resampling, agreement, ranking, calibration, sequential analysis",
    short: "intervals, tests",
    row: 6,
    x: 0.36,
  },
  {
    path: "src/cost",
    kind: "figures",
    does: "price book, cost of usage, budgets, break-even",
    short: "prices, bills",
    row: 5,
    x: 0.52,
  },
  {
    path: "src/perf",
    kind: "figures",
    does: "event log → latency and throughput figures, load plans, the client's own error",
    short: "latency, load",
    row: 5,
    x: 0.68,
  },
  {
    path: "src/text",
    kind: "ground",
    does: "what metrics, judges and providers share about text",
    short: "text helpers",
    row: 7,
    x: 0.22,
  },
  {
    path: "src/platform",
    kind: "ground",
    does: "clock, folders of the user, loading of our own modules",
    short: "clock, folders",
    row: 7,
    x: 0.6,
  },
  {
    path: "src/core",
    kind: "ground",
    does: "the nouns (sample, variant, generation, metric, report …), errors, seeded random numbers",
    short: "the nouns: sample, variant, generation, metric, report; every room imports it",
    row: 8,
    x: 0.5,
  },
]

/** The room of a file, by its path from the repository's root; undefined outside of all rooms. */
export function roomOf(file: string): string | undefined {
  if (/^src\/[^/]+\.ts$/.test(file)) return entryPoints
  const parts = file.split("/")
  if (parts.length < 2) return undefined
  return parts[0] === "src" ? `src/${parts[1]}` : parts[0]
}
