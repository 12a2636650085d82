import { join, resolve } from "node:path"
import {
  createPairTrend,
  falseAlarms,
  type PairFigure,
  type PairFigureName,
  type PairTrend,
} from "../../analyse/trend/pair-trend.ts"
import { defaults } from "../../config/defaults.ts"
import { systemClock } from "../../core/clock.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { followLog } from "../../interop/log-tail.ts"
import { createLogPairs } from "../../pipeline/score-file/log-pairs.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { createOfflineTools } from "../../score/metric-tools-offline.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import { followingLine, pairFigureName, pairShiftSentence, pairsLine } from "../../wording/pair-trend.ts"
import { errorText } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { integerOption } from "../arguments/options.ts"
import { parseDuration } from "../bench/option-values.ts"
import type { Args, CommandIo } from "../command.ts"
import { pathIn } from "../files/named-file.ts"
import { localTime } from "../history/local-time.ts"
import { progressLine } from "../progress-line.ts"
import { chosenMetrics } from "../score/chosen-metrics.ts"
import { alarmLine, type WatchAlarm } from "./poll.ts"
import { readState, stateFile, writeState } from "./state.ts"
import { until } from "./until.ts"
import { reportChanges, webhookOf } from "./webhook.ts"

/**
 * `evalkit watch LOG:PRIMARY LOG:CANDIDATE`: the pairs of a log that grows, with alarms when the candidate becomes worse than the primary.
 *
 * @returns 3 where an alarm stands at the end
 * @throws {UsageError} for what is no log, and what cannot be meant
 */
export async function watchLog(args: Args, io: CommandIo): Promise<number> {
  const every = String(args.every ?? "1min")
  const everyMs = parseDuration(every)
  const rounds = args.rounds === undefined ? Number.POSITIVE_INFINITY : integerOption(args, "rounds", 1, 1e9)
  const webhook = webhookOf(args.webhook, io.environment)
  const names = [args.config, args.b].map(String) as [string, string]
  const tails = tailsOf(names, args, io)
  const folder = join(resolve(io.cwd, String(args.directory ?? defaults.directory)), "watch")
  makeFolder(folder)
  const file = stateFile(folder, resolve(io.cwd, names[0]), [names[1]])
  const { evaluation } = await chosenMetrics({ metric: args.metric ?? ["refusal"] }, io)
  const cacheDirectory = userCacheDirectory(io.environment)
  const metrics = orderMetrics(evaluation.metrics)
  const offline = createOfflineTools({
    evaluation,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory,
    defaultEmbedder: transformers({ cacheDirectory }),
  })
  const readPairs = createLogPairs({ metrics, tools: offline.tools, signal: io.signal })
  const trend = createPairTrend(metrics, integerOption(args, "limit", 1, 1000))
  let [pairs, isWorse, state] = [0, false, readState(file)]
  const status = () => pairsLine(pairs, trend.figures())
  if (rounds > 1) {
    const line = followingLine(names.join(", "), every, errorText(falseAlarms.chance), falseAlarms.pairs)
    io.err(`evalkit: ${plainText(line, 400)}\n`)
  }
  const line = io.interactive ? progressLine(io, status) : null
  try {
    for (let round = 1; ; round++) {
      const before = pairs
      for (const { records, sides } of tails)
        for await (const pair of readPairs(records(), sides)) {
          trend.add(pair)
          pairs++
        }
      const alarms = alarmsOf(trend, names[1], io)
      isWorse = alarms.length > 0
      if (pairs > before || round === 1) {
        const print = () =>
          io.out(args.json ? `${JSON.stringify(lookJson(pairs, trend, alarms))}\n` : lookText(status(), alarms, io))
        line ? line.say(print) : print()
      }
      state = { ...state, reported: await reportChanges(state.reported, alarms, webhook, io) }
      writeState(file, state)
      if (round >= rounds || (args.stopOnAlarm && isWorse)) break
      await until(Date.now() + everyMs, io.signal)
      if (io.signal.aborted) break
    }
  } catch (error) {
    // Ended while it read: what was found before counts.
    if (!io.signal.aborted) throw error
  } finally {
    line?.end()
    await Promise.all(metrics.map((metric) => metric.close?.()))
    await offline.close()
  }
  return isWorse ? ExitCode.gateFailed : ExitCode.ok
}

/** Each log that is named, and which side is what in it. */
function tailsOf(names: readonly [string, string], { b: candidate }: Args, io: CommandIo) {
  if (candidate === undefined)
    throw new UsageError("the candidate is missing", {
      where: names[0],
      hint: "name both sides as `evalkit compare` does: evalkit watch LOG:PRIMARY LOG:CANDIDATE",
    })
  const [a, b] = names.map((name) => {
    const source = pathIn(name, io)
    if (!source) throw new UsageError("there is no such file", { where: name, hint: "write LOG:VARIANT" })
    return { ...source, path: resolve(io.cwd, source.file) }
  }) as [{ path: string; file: string; variant: string | null }, { path: string; file: string; variant: string | null }]
  const isOne = a.path === b.path
  if (isOne && (a.variant === b.variant || a.variant === null || b.variant === null))
    throw new UsageError("the two sides are the same", {
      where: names.join(" "),
      hint: "write LOG:PRIMARY LOG:CANDIDATE",
    })
  const tail = ({ path, file }: typeof a, sides: readonly [string | null | undefined, string | null | undefined]) => ({
    ...followLog(path, file),
    sides,
  })
  return isOne ? [tail(a, [a.variant, b.variant])] : [tail(a, [a.variant, undefined]), tail(b, [undefined, b.variant])]
}

const kinds = { failures: "availability", costUsd: "cost", ttftMs: "first token", e2eMs: "latency" } as const

function nameOf(figure: PairFigureName): string {
  return typeof figure === "string" ? figure : figure.name
}

function timeOf({ shift }: PairFigure): string | null {
  return shift?.atMs == null ? null : new Date(shift.atMs).toISOString()
}

function alarmsOf(trend: PairTrend, variant: string, io: CommandIo): readonly WatchAlarm[] {
  return trend.figures().flatMap((pairFigure): WatchAlarm[] => {
    const { figure, shift, worse } = pairFigure
    if (!worse || !shift) return []
    const at = timeOf(pairFigure)
    const sentence = pairShiftSentence(figure, shift, at && localTime(at, io.environment))
    const kind = typeof figure === "string" ? kinds[figure] : "quality"
    return [{ key: `${variant}/${nameOf(figure)}`, variant, kind, sentence }]
  })
}

function lookText(status: string, alarms: readonly WatchAlarm[], io: CommandIo): string {
  const at = localTime(new Date().toISOString(), io.environment)
  return `${[`${at}  ${status}`, ...alarms.map(alarmLine)].join("\n")}\n`
}

function lookJson(pairs: number, trend: PairTrend, alarms: readonly WatchAlarm[]) {
  return {
    at: new Date().toISOString(),
    pairs,
    figures: trend.figures().map((figure) => ({
      figure: nameOf(figure.figure),
      title: pairFigureName(figure.figure),
      known: figure.known,
      level: figure.level,
      change: figure.shift && {
        pair: figure.shift.pair,
        at: timeOf(figure),
        before: figure.shift.before,
        after: figure.shift.after,
      },
      worse: figure.worse,
    })),
    alarms: alarms.map((alarm) => ({ ...alarm })),
  }
}
