import { plainText } from "../../../reports/format/text.ts"
import { textTable } from "../../../reports/terminal/text-table.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { storedVariant } from "../../engine/compare/source/stored-source.ts"
import { amount, between, pValue, signed, wordingOf } from "../../engine/decide/phrases.ts"
import { computeTrend, type Trend } from "../../engine/decide/trend.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { splitsReader } from "../../engine/report/sample-splits.ts"
import { storedMetric } from "../../engine/report/stored-metric.ts"
import type { Command } from "../command.ts"
import { openProjectStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit trend VARIANT`: a variant over its runs, with drift alarms and change points. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("variant", { type: "string", demandOption: true, describe: "name of the variant" })
      .option("metric", { type: "string", describe: "default: the first metric that decides" })
      .option("baseline", { type: "string", describe: "run that the others are compared with (default: the oldest)" })
      .option("limit", { type: "number", default: 30, describe: "newest runs, at most" })
      .options(storeOptions)
      .option("json", { type: "boolean", default: false, describe: "print as JSON" })
      .example("$0 trend m-q8_0", "has it drifted since its first run?")
      .epilogue(
        "exit codes: 0 no drift · 3 a run is worse than the baseline run, or the newest change of quality, latency or cost is for the worse",
      ),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const trend = trendOf(store, args)
      io.out(args.json ? `${JSON.stringify(trendJson(trend.result))}\n` : trendText(trend.result, trend.wording))
      const { worse, operations } = trend.result
      return worse || operations.some((one) => one.worse) ? ExitCode.gateFailed : ExitCode.ok
    } finally {
      store.close()
    }
  },
}

function trendOf(store: RunStore, args: Readonly<Record<string, unknown>>) {
  const variant = String(args.variant)
  const all = [...store.runs()].reverse().filter((run) => run.variants.some(({ name }) => name === variant))
  const newest = all.at(-1)
  if (!newest) throw new UsageError(`no run has a variant "${variant}"`, { hint: "list the runs with: evalkit runs" })
  const name = args.metric === undefined ? newest.metrics.find(({ primary }) => primary)?.name : String(args.metric)
  const record = newest.metrics.find((metric) => metric.name === name)
  if (!record)
    throw new UsageError(`the newest run has no metric "${name ?? ""}"`, {
      hint: `choose from: ${newest.metrics.map((metric) => metric.name).join(", ")}`,
    })
  const baseline = args.baseline === undefined ? all[0] : findRun(store, String(args.baseline))
  const comparable = (run: RunRecord) => run.metrics.some((m) => m.name === name && m.signature === record.signature)
  const recent = all.filter(comparable).slice(-Math.max(2, Number(args.limit)))
  const runs = baseline && comparable(baseline) && !recent.includes(baseline) ? [baseline, ...recent] : recent
  const metric = storedMetric(record)
  const splitsOf = splitsReader(store)
  const result = computeTrend({
    runs: runs.map((run) => ({
      run: run.id,
      startedAt: run.startedAt,
      scored: storedVariant(store, { run, variant }, variant, new Set([metric.name]), splitsOf),
    })),
    metric,
    margin: newest.margin,
    alpha: newest.alpha,
    seed: newest.seed,
    ...(baseline ? { baseline: baseline.id } : {}),
  })
  return { result, wording: wordingOf(metric) }
}

function trendText(trend: Trend, wording: ReturnType<typeof wordingOf>): string {
  const rows = trend.points.map(({ run, startedAt, figure, comparison, pAdjusted, alarm }) => [
    run,
    startedAt.slice(0, 16).replace("T", " "),
    figure.status === "known" ? amount(figure.value * wording.scale) : "unknown",
    comparison?.difference == null ? "" : signed(comparison.difference, wording),
    comparison?.low == null || comparison.high == null ? "" : between(comparison.low, comparison.high, wording),
    pAdjusted === null ? "" : pValue(pAdjusted),
    alarm ? "worse" : "",
  ])
  const header = ["run", "started", trend.metric, "since baseline", "interval", "p (Holm)", ""]
  const said = [trend.sentence, ...trend.operations.flatMap(({ sentence }) => sentence ?? [])]
  const operations = trend.operations.map(({ figure, unit }) => `${figure} (${unit})`)
  const costs = trend.points.map(({ run }, i) => [
    run,
    ...trend.operations.map(({ values }) => (values[i] == null ? "unknown" : amount(values[i]))),
  ])
  const tables = [textTable(header, rows), ...(operations.length > 0 ? [textTable(["run", ...operations], costs)] : [])]
  return `${said.map((one) => plainText(one, 1000)).join("\n")}\n\n${tables.join("\n")}`
}

function trendJson({ metric, points, changes, worse, operations, sentence }: Trend): JsonObject {
  return {
    metric,
    sentence,
    points: points.map(({ run, startedAt, figure, comparison, pAdjusted, alarm }) => ({
      run,
      startedAt,
      figure: { ...figure },
      difference: comparison?.difference ?? null,
      low: comparison?.low ?? null,
      high: comparison?.high ?? null,
      p_adjusted: pAdjusted,
      alarm,
    })),
    changes: changes.map((change) => ({ ...change })),
    worse,
    operations: operations.map((one) => ({
      ...one,
      values: [...one.values],
      changes: one.changes.map((change) => ({ ...change })),
    })),
  }
}
