import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import * as evalkit from "../../src/index.ts"
import * as judges from "../../src/judges.ts"
import * as metrics from "../../src/metrics.ts"
import { runCli } from "../support/cli.ts"
import { tinyModel } from "../support/onnx/tiny-model.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { everyMetric } from "./every-metric.ts"

const folder = scratchDirectory()
const nli = join(folder, "nli")
/** A port of this machine that nobody listens on. */
const moderation = "http://127.0.0.1:9/v1"

/** What else `evalkit/metrics` and `/judges` export: what metrics are made of, and functions over what they found. */
const others: Readonly<Record<string, string>> = {
  ScoringError: "an error",
  agreementAmongPeople: "agreement of several people's labels",
  aggregateScores: "combines the scores of a panel",
  bestOfJudge: "what bestOf asks, of any answers",
  choiceDistribution: "reads a distribution from log-probabilities",
  columnMetric: "what column is made of, for foreign files",
  confidenceOf: "reads an answer's confidence",
  defineRubric: "makes a rubric",
  detection: "precision and recall of a detector",
  divergence: "compares pairs of variants: pairMetrics",
  embeddingEquivalence: "an option of semanticEntropy",
  entailmentClasses: "an option of semanticEntropy",
  findLeaks: "what leaks is made of",
  gini: "a figure of groups",
  isPanelRow: "tells a row",
  isRefusal: "what refusal is made of",
  isUnscoredCode: "tells a code",
  loadWordNet: "loads WordNet",
  movedVerdicts: "compares verdicts of two runs",
  nearDuplicates: "looks at a data set",
  pairPreference: "stereotypePreference of an open session",
  perplexityDrift: "compares rows of two models",
  perplexityFigures: "sums up rows",
  perplexityRow: "makes a row",
  referencePerplexity: "scores given texts",
  relativeScore: "a judge's score beside another's",
  scored: "makes a row",
  strengths: "ranks by pairwise verdicts",
  templateSensitivity: "compares scores of templates",
  textPerplexity: "scores given texts",
  theil: "a figure of groups",
  unscored: "makes a reason",
  validateJudge: "judges against people",
  winRates: "sums up pairwise verdicts",
}

const made = everyMetric({ nli, moderation, model: new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url) })

describe("the catalogue", () => {
  it("has no metric that a config cannot name: every function that it exports is one, or is known to be something else", () => {
    const functions = Object.entries({ ...metrics, ...judges }).flatMap(([name, value]) =>
      typeof value === "function" ? [name] : [],
    )
    const names = new Set([...Object.keys(made), ...Object.keys(others)])
    expect(
      functions.filter((name) => !names.has(name)),
      "add a metric to test/catalogue/every-metric.ts; what is none, to the list above",
    ).toEqual([])
    expect(Object.keys(others).filter((name) => !functions.includes(name))).toEqual([])
    for (const [name, metric] of Object.entries(made)) {
      expect(metric, name).toMatchObject({ signature: expect.any(String), measure: expect.any(Function) })
      // In evalkit itself, or in the sub-path that says it may change.
      expect(name in evalkit || name in metrics, name).toBe(true)
    }
  })

  it("has metrics of different names, which one config may hold together", () => {
    const names = Object.values(made).map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})

describe("a run with every metric of the catalogue", () => {
  let report: RunReport
  let stderr: string
  let seconds: number
  beforeAll(async () => {
    await tinyModel(nli, {
      weights: { tom: [2, 0, 0], eva: [1, 0, 0], not: [0, 0, 2], judge: [0, 1, 0] },
      labels: ["entailment", "neutral", "contradiction"],
    })
    const config = fileURLToPath(new URL("every-metric.config.ts", import.meta.url))
    const startedMs = performance.now()
    const run = await runCli(["run", config, "--directory", join(folder, "store"), "--json"], {
      cwd: folder,
      environment: { TINY_NLI: nli, NO_MODERATION: moderation },
      limitMs: 240_000,
    })
    seconds = (performance.now() - startedMs) / 1000
    stderr = run.stderr
    expect(run.code, stderr).toBeLessThan(5)
    report = JSON.parse(run.stdout) as RunReport
  }, 250_000)

  it("gives each figure, or the reason why there is none, and ends in bounded time", () => {
    const bare: string[] = []
    const cache = new Map<string, string>()
    for (const { name: variant, quality } of report.variants) {
      expect(quality.map(({ metric }) => metric).sort()).toEqual(
        Object.values(made)
          .map(({ name }) => name)
          .sort(),
      )
      for (const { metric, figure, scored, total, unscored } of quality) {
        const reasons = Object.entries(unscored).filter(([reason, count]) => reason.length > 3 && count > 0)
        const accounted = scored + reasons.reduce((sum, [, count]) => sum + count, 0)
        if (accounted !== total) bare.push(`${variant} ${metric}: ${accounted} of ${total} answers are accounted for`)
        if (figure.status === "known") cache.set(metric, variant)
        else if (figure.reason.length < 4) bare.push(`${variant} ${metric}: no reason`)
        // What failed by a fault of its own is no reason.
        for (const [reason] of reasons)
          if (/^metric_(?:failed|timeout|value)/.test(reason)) bare.push(`${variant} ${metric}: ${reason}`)
      }
    }
    expect(bare).toEqual([])
    const unknown = Object.values(made).flatMap(({ name }) => (cache.has(name) ? [] : [name]))
    console.info(
      `${cache.size} of ${cache.size + unknown.length} metrics have a figure, in ${seconds.toFixed(0)} s; none:`,
      unknown,
    )
    // The moderation endpoint is not there, and the tiny model gives no JSON and calls no tools.
    expect(unknown).toEqual(expect.arrayContaining(["moderation"]))
    expect(unknown.length).toBeLessThanOrEqual(8)
  })

  it("stands on the page and in the text with all its sections", () => {
    const reports = join(folder, "store", "reports")
    const kinds = new Set(report.sections.map(({ kind }) => kind))
    for (const kind of [
      "bias",
      "safety",
      "fairness",
      "calibration",
      "hallucination",
      "citations",
      "confusion",
      "perplexity",
    ])
      expect([...kinds]).toContain(kind)
    expect(readFileSync(join(reports, `${report.run.id}.md`), "utf8")).toContain("Toxicity under 4 detectors")
  })
})
