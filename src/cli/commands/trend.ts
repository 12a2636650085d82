import { ExitCode } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { Trend } from "../../core/report/trend.ts"
import { closing } from "../../platform/closing.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { between, signed } from "../../words/difference.ts"
import { amount } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { percent, percentage } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, number, text } from "../arguments/options.ts"
import { screenTable } from "../arguments/screen-table.ts"
import { isBenchOnly, printBenchTrend } from "../bench/bench-trend.ts"
import type { Command, CommandIo } from "../command.ts"
import { localTime } from "../history/local-time.ts"
import { storeOptions } from "../store/store-options.ts"
import { trendOf, type WordedTrend } from "../watch/trend-of.ts"

/** `evalkit trend VARIANT`: a variant over its runs, with drift alarms and change points. */
export const command: Command = {
  positionals: { variant: text("name of the variant", { demandOption: true }) },
  options: {
    metric: text("default: the first metric that decides"),
    baseline: text(
      "run that the others are compared with (default: the earliest that asked nine in ten of the samples of the newest)",
    ),
    bench: flag("over its load tests (default: where no run asked it)"),
    limit: number("newest runs, at most", { default: 30 }),
    ...storeOptions,
    json: json(),
  },
  examples: { "$0 trend m-q8_0": "has it drifted since its first run?" },
  epilogue:
    "exit codes: 0 no drift · 3 a run is worse than the baseline run, or the newest change of quality, latency, cost or availability is for the worse; of load tests: the newest is slower than those before it · 4 cannot tell: the newest run has too few samples in common with the baseline run",

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const text = (value: unknown) => (value === undefined ? undefined : String(value))
      if (args.bench ?? isBenchOnly(store, String(args.variant))) {
        const scope = { variant: String(args.variant), baseline: text(args.baseline), limit: Number(args.limit) }
        return printBenchTrend(store, scope, args.json === true, io)
      }
      const trend = trendOf(store, {
        variant: String(args.variant),
        metric: text(args.metric),
        baseline: text(args.baseline),
        limit: Number(args.limit),
      })
      io.out(args.json ? `${JSON.stringify(trendJson(trend.result))}\n` : trendText(trend, io))
      const { state, operations, availability } = trend.result
      if (state === "worse" || availability.worse || operations.some((operation) => operation.worse))
        return ExitCode.gateFailed
      return state === "inconclusive" ? ExitCode.inconclusive : ExitCode.ok
    })
  },
}

function trendText({ result: trend, wording, title }: WordedTrend, io: CommandIo): string {
  const unit = wording.unit === "points" ? "%" : wording.unit
  const rows = trend.points.map(({ run, startedAt, figure, comparison, pAdjusted, alarm }, i) => [
    run,
    localTime(startedAt, io.environment),
    figure.status === "known" ? amount(figure.value * wording.scale) : "unknown",
    run === trend.baseline ? "baseline" : comparison?.difference == null ? "" : signed(comparison.difference, wording),
    comparison?.low == null || comparison.high == null ? "" : between(comparison.low, comparison.high, wording),
    pAdjusted === null ? "" : pValue(pAdjusted),
    alarm ? "worse" : "",
    answeredText(trend.availability.values[i]),
  ])
  const header = ["run", "started", `${title} ${unit}`, "since baseline", "interval", "p (Holm)", "", "answered"]
  const others = [...trend.operations, trend.availability]
  const said = [trend.sentence, ...others.flatMap(({ sentence }) => sentence ?? [])]
  const operations = trend.operations.map(({ figure, unit }) => `${figure}, ${unit}`)
  const costs = trend.points.map(({ run }, i) => [
    run,
    ...trend.operations.map(({ values }) => (values[i] == null ? "unknown" : amount(values[i]))),
  ])
  const tables = [
    screenTable(header, rows, io),
    ...(operations.length > 0 ? [screenTable(["run", ...operations], costs, io)] : []),
  ]
  return `${said.map((line) => plainText(line, 1000)).join("\n")}\n\n${tables.join("\n")}`
}

/** `98.0 % (90.2 to 99.6)`. */
function answeredText(figure: Figure | undefined): string {
  if (figure?.status !== "known") return "unknown"
  return `${percent(figure.value)} (${percentage(figure.low ?? 0)} to ${percentage(figure.high ?? 1)})`
}

function trendJson({
  metric,
  baseline,
  points,
  changes,
  worse,
  state,
  operations,
  availability,
  sentence,
}: Trend): JsonObject {
  return {
    metric,
    baseline,
    state,
    sentence,
    points: points.map(({ run, startedAt, figure, comparison, pAdjusted, alarm }) => ({
      run,
      startedAt,
      figure: { ...figure },
      pairs: comparison?.pairs ?? null,
      difference: comparison?.difference ?? null,
      low: comparison?.low ?? null,
      high: comparison?.high ?? null,
      p_adjusted: pAdjusted,
      alarm,
    })),
    changes: changes.map((change) => ({ ...change })),
    worse,
    availability: {
      ...availability,
      values: availability.values.map((figure) => ({ ...figure })),
      changes: availability.changes.map((change) => ({ ...change })),
    },
    operations: operations.map((operation) => ({
      ...operation,
      values: [...operation.values],
      changes: operation.changes.map((change) => ({ ...change })),
    })),
  }
}
