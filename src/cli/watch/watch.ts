import { basename, join, relative, resolve } from "node:path"
import { runBill } from "../../analyse/summary/bill.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { loadConfig } from "../../config/load.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { type Figure, figureValue } from "../../core/report/figure.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { closing } from "../../platform/closing.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { openStore } from "../../store/project-store.ts"
import { takeWriterLock } from "../../store/writer-lock.ts"
import { counted, significant } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { usd } from "../../words/quantity.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, number, text, texts } from "../arguments/options.ts"
import { parseDuration } from "../bench/option-values.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { pathIn } from "../files/named-file.ts"
import { localTime } from "../history/local-time.ts"
import { loadOptions } from "../load-options.ts"
import { writeReports } from "../report-files.ts"
import { billLine } from "../run/bill-line.ts"
import { commandPlacer } from "../run/place-command.ts"
import { resumed } from "../run/resumed-run.ts"
import { endLine, evaluateWithProgress, forecastOf, loadEvaluation, unwrittenLine } from "../run/run-once.ts"
import { storeOptions } from "../store/store-options.ts"
import { alarmLine, lookJson, pollStore, type WatchPoll } from "./poll.ts"
import { readState, stateFile, type WatchState, writeState } from "./state.ts"
import { until } from "./until.ts"
import { reportChanges, webhookOf } from "./webhook.ts"

/** `evalkit watch [config]`: small runs at intervals, or the pairs of a log, with alarms when quality, latency, cost or availability become worse. */
export const command: Command = {
  positionals: {
    config: text("default: eval.config.ts; or the primary in a log that grows, LOG:VARIANT"),
    b: text("the candidate in that log"),
  },
  options: {
    every: text(
      "time from the start of a run to that of the next, or between two looks at a log (default: 15min, 1min)",
    ),
    limit: number("samples of each run; of a log, pairs of a window", { default: 20 }),
    metric: texts("of a log: metrics of the catalogue that score its answers (default: refusal)", { nargs: 1 }),
    variant: texts("only these variants"),
    rounds: number("end after so many runs or looks (default: go on)"),
    budget: text("of each run: 5usd, 2M tokens, 500 requests, 30min"),
    target: number("share of requests that must be answered", { default: 0.999 }),
    webhook: text(
      "address that alarms are sent to as JSON (or EVALKIT_WATCH_WEBHOOK, which no list of processes shows)",
    ),
    "stop-on-alarm": flag("end at the first alarm, with exit code 3", { default: false }),
    ...storeOptions,
    json: json("print an object a round"),
  },
  examples: {
    "$0 watch --every 1h --limit 30": "thirty samples an hour, until it is ended",
    "$0 watch --rounds 1 --stop-on-alarm": "one run, from a scheduler of your own",
    "$0 watch shadow:primary shadow:candidate": "pairs of a shadow, while it stores them",
  },
  epilogue:
    "exit codes: 0 nothing is worse · 3 an alarm stands · 130 ended within a run, which the next watch continues",

  async run(args, io) {
    if (isLogNamed(args, io)) return (await import("./watch-log.ts")).watchLog(args, io)
    const everyMs = parseDuration(String(args.every ?? "15min"))
    const target = Number(args.target)
    if (!(target > 0 && target < 1))
      throw new UsageError("--target must be between 0 and 1", { where: String(args.target) })
    if (args.rounds !== undefined && !(Number.isInteger(args.rounds) && Number(args.rounds) > 0))
      throw new UsageError("--rounds must be a whole number from 1 on", { where: String(args.rounds) })
    const webhook = webhookOf(args.webhook, io.environment)
    const { path, evaluation } = await loadConfig(args.config as string | undefined, {
      ...loadOptions(io),
      signal: io.signal,
    })
    const directory = args.directory === undefined ? evaluation.directory : resolve(io.cwd, String(args.directory))
    const folder = join(directory, "watch")
    makeFolder(folder)
    const lock = takeWriterLock(folder)
    try {
      const file = stateFile(folder, resolve(path), args.variant as string[] | undefined)
      return await watch(args, io, { everyMs, target, webhook, file, config: path, evaluation })
    } finally {
      lock.release()
    }
  },
}

/** Whether a log is named, and no config. */
function isLogNamed({ config, b }: Args, io: CommandIo): boolean {
  if (b !== undefined || config === undefined) return b !== undefined
  const source = pathIn(String(config), io)
  return source !== null && (source.variant !== null || !/\.(?:[cm]?[jt]s|ya?ml|json)$/.test(source.file))
}

interface WatchOptions {
  readonly everyMs: number
  readonly target: number
  readonly webhook: URL | null
  /** Where its state is kept. */
  readonly file: string
  /** Path of the config. */
  readonly config: string
  readonly evaluation: Evaluation
}

async function watch(args: Args, io: CommandIo, options: WatchOptions): Promise<number> {
  const { everyMs, file } = options
  let state = readState(file)
  // A watch that was ended goes on with its schedule; one that is overdue begins at once.
  let unfinished = unfinishedRun(args, io, options, state)
  let dueMs = Math.max(state.dueMs === null || unfinished ? 0 : state.dueMs + everyMs, Date.now())
  let isWorse = state.reported.length > 0
  for (let round = 1; ; round++) {
    if (dueMs - Date.now() > saidMs) io.err(`evalkit: the next run begins ${shownTime(dueMs, io)}\n`)
    await until(dueMs, io.signal)
    if (io.signal.aborted) break
    const { isCut, runId } = await oneRun(args, io, unfinished)
    const poll = withStore(args, io, options, (store) => {
      const plan = (runId === null ? null : store.run(runId)?.plan) ?? state.plan
      const now = { store, nowMs: Date.now(), everyMs, target: options.target }
      const isWatched = (run: RunRecord) => run.plan === plan && isOfConfig(run, options)
      return { plan, seen: plan === null || isCut ? null : pollStore({ ...now, isWatched }) }
    })
    state = { ...state, plan: poll.plan, dueMs }
    unfinished = null
    if (poll.seen) {
      isWorse = poll.seen.alarms.length > 0
      state = await tell(poll.seen, state, args, io, options)
    }
    writeState(file, state)
    if (isCut) return ExitCode.interrupted
    if (args.rounds !== undefined && round >= Number(args.rounds)) break
    if (args.stopOnAlarm && isWorse) break
    dueMs = nextDue(dueMs, everyMs, io)
  }
  return isWorse ? ExitCode.gateFailed : ExitCode.ok
}

/** A wait that is longer is said, in milliseconds. */
const saidMs = 1500

/** When something is to happen: a clock without seconds does not tell it within the minute. */
function shownTime(ms: number, { environment }: CommandIo): string {
  const leftMs = ms - Date.now()
  if (leftMs < 60_000) return `in ${Math.ceil(leftMs / 1000)} s`
  return `at ${localTime(new Date(ms).toISOString(), environment)}`
}

/** The next time on the schedule that is not past: rounds that a long run has swallowed are left out, and said. */
function nextDue(dueMs: number, everyMs: number, io: CommandIo): number {
  const missed = Math.max(0, Math.ceil((Date.now() - dueMs) / everyMs) - 1)
  if (missed > 0) io.err(`evalkit: a run took longer than --every: ${counted(missed, "round")} left out\n`)
  return dueMs + (missed + 1) * everyMs
}

/** Runs once, quietly. @returns whether it was interrupted, and the run's id */
async function oneRun(
  { config, limit, variant, budget, directory, store: location }: Args,
  io: CommandIo,
  resume: string | null,
): Promise<{ readonly isCut: boolean; readonly runId: string | null }> {
  const quiet = { ...io, interactive: false }
  // Each round asks anew: an answer of the cache says nothing of now.
  const args = { config, limit, variant, budget, directory, cache: false, ...(resume !== null && { resume }) }
  const { path, evaluation: asked } = await loadEvaluation(args, quiet)
  return closing(openStore({ store: location }, quiet, { evaluation: asked }), async (store) => {
    const { evaluation, ...begun } = resumed(asked, store, args, quiet, path)
    const forecast = forecastOf(store, evaluation, { ...args, ...begun })
    const result = await evaluateWithProgress(evaluation, store, {
      args: { ...args, store: location, ...begun },
      io: quiet,
      configPath: relative(io.cwd, path),
    })
    const { record, status, reason } = result
    const run = {
      config: path,
      directory: evaluation.directory,
      isDirectoryGiven: directory !== undefined,
      store: location as string | undefined,
    }
    const price = commandPlacer(run, io)({ name: "price", words: [record.id] })
    const bill = billLine(runBill(store, record, evaluation.variants), forecast(result), price)
    if (bill !== "") io.err(`evalkit: ${bill}\n`)
    if (reason !== null) io.err(`evalkit: ${endLine(status, reason)}\n`)
    const renderers = io.signal.aborted ? [] : (evaluation.reports ?? []).filter(({ name }) => name !== "html")
    const folder = join(evaluation.directory, "reports")
    const { failures } = await writeReports(renderers, reportInput(store, record, io.signal), folder, quiet)
    for (const { name, error } of failures) io.err(unwrittenLine(name, error))
    return { isCut: io.signal.aborted, runId: record.id }
  })
}

/** Whether a run was made by this config: another one that has the same store may ask the same. */
function isOfConfig({ configPath }: RunRecord, { config }: WatchOptions): boolean {
  return configPath !== null && basename(configPath) === basename(config)
}

/** A run that was cut off less than a round ago is continued; an older one would mix the answers of two times. */
function unfinishedRun(args: Args, io: CommandIo, options: WatchOptions, { plan }: WatchState): string | null {
  if (plan === null) return null
  return withStore(args, io, options, (store) => {
    const newest = [...store.runs()].find((run) => run.plan === plan && isOfConfig(run, options))
    const isCut = newest?.status === "interrupted" || newest?.status === "stopped"
    return isCut && Date.now() - Date.parse(newest.startedAt) < options.everyMs ? newest.id : null
  })
}

function withStore<Result>(
  args: Args,
  io: CommandIo,
  { evaluation }: WatchOptions,
  work: (store: ReturnType<typeof openStore>) => Result,
): Result {
  const store = openStore(args, io, { readonly: true, evaluation })
  try {
    return work(store)
  } finally {
    store.close()
  }
}

/** Prints what a round found, and tells the webhook which alarms began and ended. */
async function tell(
  seen: WatchPoll,
  before: WatchState,
  args: Args,
  io: CommandIo,
  options: WatchOptions,
): Promise<WatchState> {
  const at = new Date().toISOString()
  await io.out(
    args.json ? `${JSON.stringify({ at, ...lookJson(seen) })}\n` : lookText(localTime(at, io.environment), seen),
  )
  return { ...before, reported: await reportChanges(before.reported, seen.alarms, options.webhook, io) }
}

function lookText(at: string, { alarms, recent }: WatchPoll): string {
  const value = (figure: Figure, unit: string) => {
    const amount = figureValue(figure)
    return amount === null ? "unknown" : `${significant(amount)}${unit}`
  }
  const lines = recent.map(({ variant, runs, ttftMs, e2eMs, tokensPerSecond, costUsd, availability }) => {
    const head = `${at}  ${plainText(variant, 40)}: ${counted(runs, "run")} of 72 hours`
    // Answers of a record are nobody's speed.
    if ([ttftMs, e2eMs, tokensPerSecond, costUsd, availability].every((figure) => figureValue(figure) === null))
      return `${head}, and no answer of them came from a service that could be measured`
    return `${head}, medians: first token ${value(ttftMs, " ms")}, answer ${value(e2eMs, " ms")}, decode ${value(tokensPerSecond, " tokens/s")}, cost of an answer ${costUsd.status === "known" ? usd(costUsd.value) : "unknown"}; answered ${availability.status === "known" ? percent(availability.value) : "unknown"}`
  })
  return `${[...lines, ...alarms.map(alarmLine)].join("\n")}\n`
}
