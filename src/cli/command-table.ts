import type { Command } from "./command.ts"

/** A line of `evalkit --help`; the command itself is loaded when it is called. */
export interface CommandEntry {
  readonly usage: string
  readonly describe: string
  load(): Promise<{ readonly command: Command }>
}

const commands: Readonly<Record<string, readonly [describe: string, load: CommandEntry["load"]]>> = {
  "run [config]": ["ask, score, compare: the whole pipeline", () => import("./run/run.ts")],
  "retry [run]": ["a changed prompt where a run lost, then on the whole", () => import("./run/retry.ts")],
  worker: ["answer slices of runs that were started with --queue", () => import("./worker/worker.ts")],
  "compare <a> <b>": ["paired verdict of two variants, two runs or two files", () => import("./compare/compare.ts")],
  "gate [run]": ["check a run against limits or an earlier run, for CI", () => import("./commands/gate.ts")],
  "frontier <file>": ["the Pareto set of any table, with its uncertainty", () => import("./commands/frontier.ts")],
  "report [run]": ["a run as HTML, Markdown, JSON, CSV, JUnit and more", () => import("./commands/report.ts")],
  "view [run]": ["all runs in the browser, live while they run", () => import("./view/view.ts")],
  "score <file>": ["metrics on a file or a stored run; no variant is called", () => import("./score/score.ts")],
  "price [run]": ["give a stored run the prices of its config", () => import("./commands/price.ts")],
  plan: ["how many samples and dollars a difference needs", () => import("./commands/plan.ts")],
  "prices [model]": ["the price book, beside a table of others", () => import("./commands/prices.ts")],
  "trend <variant>": ["a variant over its runs: drift alarms and change points", () => import("./commands/trend.ts")],
  runs: ["the runs in the store, newest first", () => import("./commands/runs.ts")],
  "show [run] [sample]": ["a run's summary, or everything about one sample", () => import("./commands/show.ts")],
  "export [run]": ["answers and scores for other tools, or an archive", () => import("./commands/export.ts")],
  "import <files..>": ["read an archive, or the log of another tool", () => import("./commands/import.ts")],
  "inventory <logs..>": ["which models and prompts are in use, for how much", () => import("./commands/inventory.ts")],
  "receipt [run]": ["a run's verdict and hashes in one signed file", () => import("./receipt/receipt.ts")],
  "verify <receipt> [run]": ["compute a receipt's verdict anew", () => import("./receipt/verify.ts")],
  "merge <runs..>": ["join the shards of one plan", () => import("./commands/merge.ts")],
  "diff <a> <b>": ["what two runs asked differently", () => import("./history/diff.ts")],
  "tag <run> [tags..]": ["words by which a run is found", () => import("./history/tag.ts")],
  "note <run> [text]": ["what you have to say of a run", () => import("./history/note.ts")],
  "rm <run>": ["remove a run and its reports", () => import("./commands/rm.ts")],
  "serve <model>": ["an OpenAI-compatible server over a local GGUF model", () => import("./commands/serve.ts")],
  "init [dir]": ["write a first config, ten questions and a CI workflow", () => import("./init/init.ts")],
  "explain [name]": ["what a metric, figure, verdict or config field means", () => import("./commands/explain.ts")],
  "add <what>": ["install an optional part: semantic, local, queue or png", () => import("./commands/add.ts")],
  "doctor [config]": ["check keys, endpoints, models, disk and clock before a run", () => import("./doctor/doctor.ts")],
  "bench [config]": ["load test: latency, throughput and cost at stated loads", () => import("./bench/bench.ts")],
  "watch [config] [b]": ["small runs at intervals, with alarms", () => import("./watch/watch.ts")],
  shadow: ["a proxy that asks a candidate a share of your traffic", () => import("./shadow/shadow.ts")],
  "judge <action> [file]": ["judges against human labels", () => import("./judge/judge.ts")],
  "label [run]": ["label answers yourself, blind", () => import("./label/label.ts")],
}

/** Every command, in the order in which the help shows them. */
export const commandTable = Object.entries(commands).map(([usage, [describe, load]]): CommandEntry => {
  return { usage, describe, load }
})
