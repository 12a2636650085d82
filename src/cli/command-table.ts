import type { Command } from "./command.ts"

/** A line of `evalkit --help`; the command itself is loaded when it is called. */
export interface CommandEntry {
  readonly usage: string
  readonly describe: string
  load(): Promise<{ readonly command: Command }>
}

/** Every command, in the order in which the help shows them. */
export const commandTable: readonly CommandEntry[] = [
  {
    usage: "run [config]",
    describe: "ask, score, compare: the whole pipeline",
    load: () => import("./run/run.ts"),
  },
  {
    usage: "worker",
    describe: "answer slices of runs that were started with --queue",
    load: () => import("./worker/worker.ts"),
  },
  {
    usage: "compare <a> <b>",
    describe: "paired verdict of two variants, two runs or two files",
    load: () => import("./compare/compare.ts"),
  },
  {
    usage: "gate [run]",
    describe: "check a run against limits or an earlier run, for CI",
    load: () => import("./commands/gate.ts"),
  },
  {
    usage: "frontier <file>",
    describe: "the Pareto set of any table, with its uncertainty",
    load: () => import("./commands/frontier.ts"),
  },
  {
    usage: "report [run]",
    describe: "a run as HTML, Markdown, JSON, CSV, JUnit and more",
    load: () => import("./commands/report.ts"),
  },
  {
    usage: "view [run]",
    describe: "all runs in the browser, live while they run",
    load: () => import("./view/view.ts"),
  },
  {
    usage: "score <file>",
    describe: "metrics on a file or a stored run; no variant is called",
    load: () => import("./score/score.ts"),
  },
  {
    usage: "price [run]",
    describe: "give a stored run the prices of its config",
    load: () => import("./commands/price.ts"),
  },
  {
    usage: "plan",
    describe: "how many samples and dollars a difference needs",
    load: () => import("./commands/plan.ts"),
  },
  {
    usage: "prices [model]",
    describe: "the price book, beside a table of others",
    load: () => import("./commands/prices.ts"),
  },
  {
    usage: "trend <variant>",
    describe: "a variant over its runs: drift alarms and change points",
    load: () => import("./commands/trend.ts"),
  },
  { usage: "runs", describe: "the runs in the store, newest first", load: () => import("./commands/runs.ts") },
  {
    usage: "show [run] [sample]",
    describe: "a run's summary, or everything about one sample",
    load: () => import("./commands/show.ts"),
  },
  {
    usage: "export [run]",
    describe: "answers and scores for other tools, or an archive",
    load: () => import("./commands/export.ts"),
  },
  {
    usage: "import <files..>",
    describe: "read an archive, or the log of another tool",
    load: () => import("./commands/import.ts"),
  },
  {
    usage: "receipt [run]",
    describe: "a run's verdict and hashes in one signed file",
    load: () => import("./receipt/receipt.ts"),
  },
  {
    usage: "verify <receipt> [run]",
    describe: "compute a receipt's verdict anew",
    load: () => import("./receipt/verify.ts"),
  },
  { usage: "merge <runs..>", describe: "join the shards of one plan", load: () => import("./commands/merge.ts") },
  {
    usage: "diff <a> <b>",
    describe: "what two runs asked differently",
    load: () => import("./history/diff.ts"),
  },
  {
    usage: "tag <run> [tags..]",
    describe: "words by which a run is found",
    load: () => import("./history/tag.ts"),
  },
  {
    usage: "note <run> [text]",
    describe: "what you have to say of a run",
    load: () => import("./history/note.ts"),
  },
  { usage: "rm <run>", describe: "remove a run and its reports", load: () => import("./commands/rm.ts") },
  {
    usage: "serve <model>",
    describe: "an OpenAI-compatible server over a local GGUF model",
    load: () => import("./commands/serve.ts"),
  },
  {
    usage: "init [dir]",
    describe: "write a first config, ten questions and a CI workflow",
    load: () => import("./init/init.ts"),
  },
  {
    usage: "explain [name]",
    describe: "what a metric, figure, verdict or config field means",
    load: () => import("./commands/explain.ts"),
  },
  {
    usage: "add <what>",
    describe: "install an optional part: semantic, local, queue or png",
    load: () => import("./commands/add.ts"),
  },
  {
    usage: "doctor [config]",
    describe: "check keys, endpoints, models, disk and clock before a run",
    load: () => import("./doctor/doctor.ts"),
  },
  {
    usage: "bench [config]",
    describe: "load test: latency, throughput and cost at stated loads",
    load: () => import("./bench/bench.ts"),
  },
  {
    usage: "watch [config]",
    describe: "small runs at intervals, with alarms",
    load: () => import("./watch/watch.ts"),
  },
  {
    usage: "judge <action> [file]",
    describe: "judges against human labels",
    load: () => import("./judge/judge.ts"),
  },
  {
    usage: "label [run]",
    describe: "label answers yourself, blind",
    load: () => import("./label/label.ts"),
  },
]
