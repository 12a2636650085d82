import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { ter } from "../../../metrics/overlap/ter.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { mean } from "../../../src/stats/mean.ts"
import { sortedNumbers } from "../../../src/stats/order.ts"
import { sacrebleuBootstrapP } from "../../../src/stats/resampling/bootstrap-p.ts"
import { sumOfRows, type VectorRows } from "../../../src/stats/resampling/bootstrap-vectors.ts"
import { randomizationP } from "../../../src/stats/tests/approximate-randomization.ts"
import { fakeSample } from "../../support/fake-variant.ts"

interface Replay {
  readonly id: string
  readonly inputs: {
    readonly refs: string[]
    readonly baseline_hyps: string[]
    readonly system_hyps: string[]
    readonly bootstrap_indices: number[][]
    readonly ar_select_baseline: string[]
  }
  readonly expected: {
    readonly baseline_score: number
    readonly system_score: number
    readonly bootstrap_baseline_scores: number[]
    readonly bootstrap_system_scores: number[]
    readonly paired_bs: { readonly p: number; readonly mean: number; readonly ci: number }
    readonly paired_ar: { readonly p: number }
    readonly ci_of_baseline: { readonly mean: number; readonly ci: number }
  }
}

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: sacreBLEU replays need EVALKIT_REFERENCE_DATA")

const records: Replay[] = folder
  ? readFileSync(join(folder, "significance_sacrebleu.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ id }: Replay) => id.startsWith("replay-"))
  : []

const metrics: Record<string, AnyMetric> = {
  BLEU: bleu() as AnyMetric,
  CHRF: chrf() as AnyMetric,
  TER: ter() as AnyMetric,
}

describe.skipIf(!folder)("paired tests on sacreBLEU's own draws", () => {
  it.each(records)("are sacreBLEU's: $id", async ({ id, inputs, expected }) => {
    const metric = metrics[id.split("-")[1] as string] as AnyMetric
    const { aggregation } = metric
    if (aggregation.kind !== "sum") throw new Error("a corpus metric is expected")
    const vectors = async (hypotheses: readonly string[]): Promise<VectorRows> => {
      const data = new Float64Array(hypotheses.length * aggregation.size)
      for (const [i, text] of hypotheses.entries()) {
        const sample = fakeSample(`${i}`, { input: "", references: [inputs.refs[i] as string] })
        const measured = await metric.measure(sample, { text } as never, {} as never)
        if (measured.status === "scored") aggregation.vector(measured.row, data, i * aggregation.size)
      }
      return { data, size: aggregation.size }
    }
    const a = await vectors(inputs.baseline_hyps)
    const b = await vectors(inputs.system_hyps)
    // sacreBLEU keeps chrF and TER scores of resamples in single precision.
    const digits = id.includes("BLEU") ? 9 : 4
    const scoreOf = (rows: VectorRows, indices?: readonly number[]) => aggregation.score(sumOfRows(rows, indices))
    expect(scoreOf(a)).toBeCloseTo(expected.baseline_score, 9)
    expect(scoreOf(b)).toBeCloseTo(expected.system_score, 9)
    const drawsA = Float64Array.from(inputs.bootstrap_indices, (list) => scoreOf(a, list))
    const drawsB = Float64Array.from(inputs.bootstrap_indices, (list) => scoreOf(b, list))
    drawsA.forEach((value, i) => {
      expect(value).toBeCloseTo(expected.bootstrap_baseline_scores[i] as number, digits)
      expect(drawsB[i]).toBeCloseTo(expected.bootstrap_system_scores[i] as number, digits)
    })
    const halfWidth = (draws: Float64Array) => {
      const sorted = sortedNumbers(draws)
      const tail = Math.floor(sorted.length / 40)
      return ((sorted[sorted.length - tail - 1] as number) - (sorted[tail] as number)) / 2
    }
    expect(mean(drawsB)).toBeCloseTo(expected.paired_bs.mean, digits)
    expect(halfWidth(drawsB)).toBeCloseTo(expected.paired_bs.ci, digits)
    expect(mean(drawsA)).toBeCloseTo(expected.ci_of_baseline.mean, digits)
    expect(halfWidth(drawsA)).toBeCloseTo(expected.ci_of_baseline.ci, digits)
    const differences = drawsB.map((value, i) => value - (drawsA[i] as number))
    const observed = expected.system_score - expected.baseline_score
    expect(sacrebleuBootstrapP(differences, observed)).toBe(expected.paired_bs.p)
    let draw = 0
    const next = () => {
      const pattern = inputs.ar_select_baseline[draw++] as string
      return (i: number) => pattern[i] === "0"
    }
    const p = randomizationP(a, b, aggregation.score, inputs.ar_select_baseline.length, next, true)
    expect(p).toBe(expected.paired_ar.p)
  })
})
