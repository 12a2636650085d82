import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { evalkit, type RecordedRunOptions, recordedRun } from "./recorded-run.ts"

const base = {
  samples: 48,
  metrics: "exactMatch(), tokenF1(), editDistance(), bleu()",
  imports: "bleu, editDistance, exactMatch, tokenF1",
  wrong: (variant: number, i: number) => i % (6 + variant) === 0,
  failed: () => false,
}

const runs: readonly (readonly [string, RecordedRunOptions])[] = [
  ["plain answers", base],
  ["failed answers", { ...base, failed: (variant, i) => (variant === 1 ? i % 13 === 3 : i % 29 === 5) }],
  ["clusters", { ...base, clusters: 16 }],
  ["repeats", { ...base, samples: 24, repeats: 3, wrong: (variant, i, repeat) => (i + repeat) % (5 + variant) === 0 }],
  [
    "answers that a metric has no score for",
    {
      ...base,
      metrics:
        'exactMatch(), custom({ name: "half", direction: "lower", range: [0, 3], measure: (sample, { text }) => sample.id.endsWith("7") ? unscored("no_number", "it ends in 7") : text.length % 4 })',
      imports: "custom, exactMatch, unscored",
      failed: (variant, i) => variant === 1 && i === 20,
    },
  ],
]

/** Everything that a comparison says of a metric but the p value after the correction: the corpus metric is not read back. */
function own(json: { readonly metrics: Readonly<Record<string, object>> }, metric: string): object {
  return { ...json.metrics[metric], p_adjusted: null }
}

describe.each(runs)("a run with %s", (_name, options) => {
  const made = recordedRun(options)

  it.each(["every-eval-ever", "inspect"])(
    "gives the verdict, the scores and the speed of the store to the digit after %s",
    async (format) => {
      const { cwd, run } = await made
      const written = await evalkit(cwd, "export", run, "--format", format, "--out", format)
      expect(written.code, written.err).toBe(0)
      const aggregates = readdirSync(join(cwd, format)).filter((name) => name.endsWith(".json"))
      const variantOf = (name: string): string => {
        const log = JSON.parse(readFileSync(join(cwd, format, name), "utf8"))
        return format === "inspect" ? log.eval.model : log.model_info.name
      }
      const [a, b] = ["a", "b"].map((name) =>
        join(format, aggregates.find((aggregate) => variantOf(aggregate) === name) as string),
      )
      const shared = ["--margin", "0.1", "--json", "--primary", "exactMatch", "--seed", "7"]
      const stored = JSON.parse((await evalkit(cwd, "compare", `${run}:a`, `${run}:b`, ...shared)).out)
      const { out, err } = await evalkit(cwd, "compare", a as string, b as string, ...shared)
      const read = JSON.parse(out === "" ? `"${err}"` : out)
      expect(read.recognised).toEqual({ a: format, b: format })
      const metrics = Object.keys(stored.metrics).filter((name) => name !== "bleu")
      expect(Object.keys(read.metrics)).toEqual(metrics)
      for (const metric of metrics) expect(own(read, metric), metric).toEqual(own(stored, metric))
      for (const figure of Object.keys(stored.performance))
        expect(read.performance[figure], figure).toEqual(stored.performance[figure])
      expect(read.verdict).toBe(stored.verdict)
    },
    120_000,
  )
})
