import { resolve } from "node:path"
import { recreateMetric } from "../../../metrics/recreate.ts"
import { gateMarkdown } from "../../../reports/export/gate-markdown.ts"
import { junitOf } from "../../../reports/export/junit.ts"
import { gateText } from "../../../reports/terminal/gate.ts"
import { gateHeadline } from "../../../reports/wording/gate-headline.ts"
import { priceAdvice } from "../../../reports/wording/price-advice.ts"
import { adjustComparisons } from "../../analyse/compare/adjust-comparisons.ts"
import { marginFor } from "../../analyse/compare/margin.ts"
import { isBreakRule } from "../../analyse/decide/break-rule.ts"
import { decideSource } from "../../analyse/decide/decide-source.ts"
import { evaluateGate, evaluateLimits, gateExitCode } from "../../analyse/decide/gate.ts"
import { heldBy, judgedOf } from "../../analyse/interim/retry-part.ts"
import type { PairBy } from "../../analyse/source/pair-by-content.ts"
import type { LoadedMetrics } from "../../analyse/source/stored-metrics.ts"
import { storedSource } from "../../analyse/source/stored-source.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { gateFigure } from "../../config/check-figures.ts"
import { ruleFaults } from "../../config/check-ranges.ts"
import { retryEvaluation } from "../../config/retry-evaluation.ts"
import { UsageError } from "../../core/errors.ts"
import { isObject, membersOf } from "../../core/json-members.ts"
import type { Comparison } from "../../core/report/comparison.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { Evaluation, GateRule } from "../../core/run/evaluation.ts"
import type { MetricRecord, RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { loadOf } from "../../perf/bench/compare-benches.ts"
import { levelFigures, rowFigure } from "../../perf/bench/row-figure.ts"
import { closing } from "../../platform/closing.ts"
import { writeOutput } from "../../platform/output-file.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { plainText } from "../../words/text.ts"
import { json, oneOf, text, texts } from "../arguments/options.ts"
import { shareOf } from "../arguments/share-of.ts"
import type { LoadSide } from "../bench/bench-side.ts"
import { benchSide, storedSide } from "../bench/bench-side.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { isFile } from "../files/named-file.ts"
import { listOption } from "../list-option.ts"
import { foundPlacer } from "../run/place-command.ts"
import { configOf, configOption } from "../run-config.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit gate [run]`: checks a run against limits or against an earlier run; nothing is measured again. */
export const command: Command = {
  positionals: {
    run: text("id, or its first letters, of a run or a bench, or a bench's --json; default: the newest run"),
  },
  options: {
    baseline: text("earlier run: each variant is compared with itself there, paired by sample"),
    min: texts("FIGURE=LIMIT: the figure must not be lower"),
    max: texts("FIGURE=LIMIT: the figure must not be higher"),
    "not-worse": texts("FIGURE=MARGIN: not worse than the baseline by more, in the figure's own unit"),
    variant: texts("variants that the rules apply to (default: all)"),
    "pair-by": oneOf(
      ["content", "id"] as const,
      "pair equal ids only where question and reference agree, or by id alone",
      { default: "content" },
    ),
    junit: text("file to write as JUnit XML"),
    markdown: text("file to write as Markdown, for a pull request"),
    receipt: text(
      "check a receipt in place of a run: that it says swap, of the data set, prompts and models of the config",
    ),
    "younger-than": text("with --receipt: most age of its run, 30d"),
    "public-key": text("with --receipt: file of the key (PEM) that must have signed it"),
    prompt: texts("with --receipt of a retry: file of the changed prompt as it is now"),
    config: configOption,
    ...storeOptions,
    json: json(),
  },
  examples: {
    "$0 gate": "the rules of the config, on the newest run",
    "$0 gate --baseline 7f3a --not-worse exactMatch=0.02": "against the run of the main branch",
    "$0 gate --min exactMatch=0.8 --max ttftMs.p95=800 --junit gate.xml": "limits, for CI",
    "$0 gate --max breaks.jsonMatch=0": "a hard check of the config, by its count",
    "$0 gate --receipt receipt.json --younger-than 30d": "without the run; stale is exit code 3",
    '$0 gate 91bc --max ttftMs.p99=500 --min requestsPerSecond=10 --variant "m at 8 in flight"': "limits of a bench",
  },
  epilogue:
    "a rule fails only when its whole interval is beyond the limit\nexit codes: 0 all rules passed · 3 a rule failed · 4 inconclusive on this evidence",

  async run(args, io) {
    if (args.receipt !== undefined) return receiptGate(args, io)
    for (const name of ["younger-than", "public-key", "prompt"])
      if (args[name] !== undefined)
        throw new UsageError(`--${name} needs --receipt`, { hint: "name the receipt's file, or leave it out" })
    if (typeof args.run === "string" && isFile(args.run, io))
      return gateBench((await benchSide(args.run, args, io)) ?? notBench(args.run), args, io)
    return closing(openProjectStore(args, io), async (store) => {
      const run = findRun(store, args.run as string | undefined, "all")
      if (run.kind === "bench") return await gateBench(storedSide(store, run), args, io)
      const { report } = reportInput(store, run)
      const earlier = args.baseline === undefined ? null : findRun(store, String(args.baseline))
      const { config: stated, cause } = await configOf(run, args.config as string | undefined, io)
      const config = stated && retryEvaluation(stated, run.retry)
      const loaded = { metrics: config?.metrics ?? [], cause }
      const pairBy = args.pairBy as PairBy
      const rules = checkedRules(args, config, { run, report, earlier })
      const comparisons = earlier
        ? await againstRun(store, run, earlier, { rules, loaded, pairBy })
        : report.comparisons
      // Compared with an earlier run, the baseline variant is a candidate like every other.
      const variants = earlier
        ? report.variants.map((variant) => ({ ...variant, baseline: false }))
        : heldBy(report.variants, judgedOf(store, run))
      const results = evaluateGate(rules, { variants, comparisons, metrics: run.metrics })
      if (results.length === 0)
        throw new UsageError("no rule applies to any variant", { hint: "check --variant and the rules of the config" })
      await writeFiles({ ...report, comparisons, gate: results }, args, io)
      const facts = { run: run.id, baseline: earlier?.id ?? null, exit_code: gateExitCode(results) }
      if (args.json) io.out(`${JSON.stringify({ ...facts, sentence: gateHeadline(results), rules: results })}\n`)
      else {
        const advice = priceAdvice({ ...report, variants, gate: results })
        const command = advice && foundPlacer(run, args, io)(advice.command)
        io.out(gateText(results, earlier ? comparisons : []) + (advice ? `${advice.words} ${command}\n` : ""))
      }
      return facts.exit_code
    })
  },
}

async function receiptGate(args: Args, io: CommandIo): Promise<number> {
  const { receipt, results } = await (await import("../receipt/receipt-gate.ts")).gateOfReceipt(args, io)
  const exitCode = gateExitCode(results)
  if (typeof args.markdown === "string")
    await writeOutput(resolve(io.cwd, args.markdown), (write) => write(gateMarkdown(results, [])))
  const facts = { run: receipt.run.id, baseline: null, exit_code: exitCode, sentence: gateHeadline(results) }
  io.out(args.json ? `${JSON.stringify({ ...facts, rules: results })}\n` : gateText(results, []))
  return exitCode
}

/** Limits over the levels of a load test; `--variant` names a variant, or one of its levels. */
async function gateBench({ file, rows }: Pick<LoadSide, "file" | "rows">, args: Args, io: CommandIo): Promise<number> {
  const unfit = ["baseline", "not-worse"].find((name) => args[name] !== undefined)
  if (unfit !== undefined)
    throw new UsageError("a load test is held to limits", {
      where: `--${unfit}`,
      hint: "compare it with others by: evalkit bench --compare OLD --with NEW",
    })
  const levels = rows.map((row) => ({
    variant: String(row.variant),
    name: `${row.variant} at ${loadOf(row)}`,
    figureOf: (figure: string) => rowFigure(row, figure),
  }))
  const names = listOption(args.variant)
  const unknownName = names.find((option) => !levels.some(({ variant, name }) => variant === option || name === option))
  if (unknownName !== undefined)
    throw new UsageError(`the load test has no variant "${plainText(unknownName, 100)}"`, {
      where: "--variant",
      hint: `choose from: ${levels.map(({ name }) => name).join("; ")}`,
    })
  const held = levels.filter(
    ({ variant, name }) => names.length === 0 || names.includes(variant) || names.includes(name),
  )
  const metrics = rows.flatMap((row) => (isObject(row.metrics) ? Object.keys(row.metrics) : []))
  const rules = limitRules(args)
  const fault = rules.flatMap(({ figure }) => gateFigure("the rule's figure", figure, [...metrics, ...levelFigures]))[0]
  if (fault !== undefined) throw new UsageError(fault, {})
  if (rules.length === 0) throw noRule()
  // The largest load within the objectives is one of a variant, and in each of its rows.
  const variants = held.filter(({ variant }, i) => held.findIndex((entry) => entry.variant === variant) === i)
  const gate = [
    ...evaluateLimits(
      rules.filter(({ figure }) => figure !== "capacity"),
      held,
    ),
    ...evaluateLimits(
      rules.filter(({ figure }) => figure === "capacity"),
      variants.map((level) => ({ ...level, name: level.variant })),
    ),
  ]
  await writeFiles({ run: { name: file, durationMs: 0 }, comparisons: [], checks: [], gate }, args, io)
  const facts = { bench: file, exit_code: gateExitCode(gate) }
  if (args.json) io.out(`${JSON.stringify({ ...facts, sentence: gateHeadline(gate), rules: gate })}\n`)
  else io.out(gateText(gate, []))
  return facts.exit_code
}

function notBench(file: string): never {
  throw new UsageError("this is no load test", {
    where: plainText(file, 200),
    hint: "give the output of evalkit bench --json, the log of a load tool, or the id of a run",
  })
}

/** The limits of `--min` and `--max`. */
function limitRules(args: Args): readonly GateRule[] {
  return [
    ...limits(args.min, "--min").map(([figure, min]) => ({ figure, min })),
    ...limits(args.max, "--max").map(([figure, max]) => ({ figure, max })),
  ]
}

function noRule(): UsageError {
  return new UsageError("there is no rule to check", {
    hint: "give one with --min, --max or --not-worse, or write `gate` in the config and name it with --config",
  })
}

/** The rules of the command line, else the config's; against an earlier run at least the primary metrics within the margin. */
function checkedRules(
  args: Args,
  config: Evaluation | null,
  { run, report, earlier }: { run: RunRecord; report: RunReport; earlier: RunRecord | null },
): readonly GateRule[] {
  const names = listOption(args.variant)
  const unknownName = names.find((name) => !report.variants.some((variant) => variant.name === name))
  if (unknownName !== undefined)
    throw new UsageError(`the run has no variant "${unknownName}"`, {
      where: "--variant",
      hint: `choose from: ${report.variants.map(({ name }) => name).join(", ")}`,
    })
  const metricNames = run.metrics.map((metric) => metric.name)
  const only = names.length > 0 ? { variants: names } : {}
  const rules: GateRule[] = [
    ...limitRules(args).map((rule) => ({ ...rule, ...only })),
    ...limits(args["not-worse"], "--not-worse").map(([figure, margin]) => {
      if (margin < 0) throw new UsageError("a margin must be 0 or more", { where: `--not-worse ${figure}=${margin}` })
      return { figure, notWorseThanBaselineBy: margin, ...only }
    }),
  ]
  const fault = rules.flatMap(({ figure }) =>
    gateFigure("the rule's figure", figure, metricNames, membersOf(run.config.breaks)),
  )[0]
  if (fault !== undefined) throw new UsageError(fault, {})
  const ranged = run.metrics.map(({ name, range }) => ({ name, range: boundsOf(range) }))
  const beyond = rules.flatMap((rule) => ruleFaults(rule.figure, rule, ranged))[0]
  if (beyond !== undefined) throw new UsageError(beyond, {})
  if (rules.length > 0) return rules
  if (config && config.gate.length > 0) return config.gate
  const primary = run.metrics.filter((metric) => metric.primary)
  if (earlier)
    return primary.map((metric) => ({
      figure: metric.name,
      notWorseThanBaselineBy: marginOf(metric, run, report),
      ...only,
    }))
  throw noRule()
}

/** The run's margin in the metric's own unit. */
function marginOf(
  { name, range }: MetricRecord,
  { margin, marginKind = "unit" }: RunRecord,
  report: RunReport,
): number {
  const baseline = report.variants.find((variant) => variant.baseline) ?? report.variants[0]
  const figure = baseline?.quality.find(({ metric }) => metric === name)?.figure
  return marginFor({ range: boundsOf(range) }, { margin, marginKind }, figureValue(figure))
}

/** A stored range, whose missing ends are without bound. */
function boundsOf(range: MetricRecord["range"]): readonly [number, number] {
  return [range[0] ?? Number.NEGATIVE_INFINITY, range[1] ?? Number.POSITIVE_INFINITY]
}

/** `exactMatch=0.8,ttftMs.p95=800` as pairs. */
function limits(value: unknown, option: string): [string, number][] {
  return listOption(value).map((text) => {
    const at = text.lastIndexOf("=")
    const limit = at > 0 ? text.slice(at + 1).trim() : ""
    if (limit === "" || !Number.isFinite(Number(limit)))
      throw new UsageError("a rule is FIGURE=NUMBER", {
        where: `${option} ${text}`,
        hint: `write for example ${option} ${at > 0 ? text.slice(0, at).trim() : text.trim()}=${shareOf(limit) ?? (option === "--not-worse" ? 0.02 : 0.8)}`,
      })
    return [text.slice(0, at).trim(), Number(limit)]
  })
}

/** Every variant that both runs have, compared with itself. */
async function againstRun(
  store: RunStore,
  run: RunRecord,
  earlier: RunRecord,
  { rules, loaded, pairBy }: { rules: readonly GateRule[]; loaded: LoadedMetrics; pairBy: PairBy },
): Promise<readonly Comparison[]> {
  const names = new Set(rules.flatMap(({ variants }) => variants ?? run.variants.map(({ name }) => name)))
  const shared = run.variants.filter(({ name }) => names.has(name) && earlier.variants.some((v) => v.name === name))
  if (shared.length === 0)
    throw new UsageError("the runs share no variant", {
      where: `runs ${earlier.id} and ${run.id}`,
      hint: `the earlier run has: ${earlier.variants.map(({ name }) => name).join(", ")}`,
    })
  const comparisons: Comparison[] = []
  for (const { name } of shared) {
    const sides = [`${earlier.id}:${name}`, `${run.id}:${name}`] as const
    const source = await storedSource({
      names: sides,
      store,
      pairBy,
      primary: rules.flatMap(({ figure }) => (isBreakRule(figure) ? decidingNames(run) : [figure])),
      loadMetrics: async () => loaded,
      recreate: recreateMetric,
    })
    comparisons.push(decideSource(source))
  }
  return adjustComparisons(comparisons).map((comparison, i) => ({ ...comparison, candidate: shared[i]?.name ?? "" }))
}

function decidingNames({ metrics }: RunRecord): readonly string[] {
  return metrics.filter(({ primary }) => primary).map(({ name }) => name)
}

async function writeFiles(report: Parameters<typeof junitOf>[0], args: Args, io: CommandIo): Promise<void> {
  const outputs: readonly (readonly [unknown, () => string])[] = [
    [args.junit, () => junitOf(report)],
    [args.markdown, () => gateMarkdown(report.gate, report.comparisons)],
  ]
  for (const [name, render] of outputs) {
    if (typeof name !== "string") continue
    const path = resolve(io.cwd, name)
    await writeOutput(path, (write) => write(render()))
    io.err(`evalkit: wrote ${path}\n`)
  }
}
