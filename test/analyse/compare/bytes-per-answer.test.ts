import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { storedVariant } from "../../../src/analyse/source/stored-source.ts"
import { answersReader } from "../../../src/analyse/summary/sample-splits.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import type { TimedFacts } from "../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../../src/core/run/run-store.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const samples = 30_000
const metrics = ["exactMatch", "contains", "tokenF1", "chrf", "bleu"]
const widths: Readonly<Record<string, number>> = { chrf: 18, bleu: 10 }

/** A store of answers as five lexical metrics leave it, made as it is read: it holds nothing itself. */
function storeOf(): RunStore {
  const idOf = (i: number) => `q${String(i).padStart(7, "0")}`
  return {
    splitSamples: () => [],
    events: () => [],
    *rows(_run: string, variant: string, metric: string): Generator<StoredRow> {
      const random = createRandom(`${variant}/${metric}`)
      const width = widths[metric]
      for (let i = 0; i < samples; i++) {
        const value = metric === "tokenF1" || width ? random.next() : Number(random.next() < 0.7)
        const row = width ? Array.from({ length: width }, () => random.integer(60)) : value
        yield { variant, metric, sampleId: idOf(i), repeat: 0, value, measured: scored<unknown>(row) }
      }
    },
    *answerFacts(_run: string, variant: string): Generator<TimedFacts> {
      const random = createRandom(variant)
      for (let i = 0; i < samples; i++) {
        const e2eMs = 100 + 200 * random.next()
        const facts = { ttftMs: e2eMs / 2, e2eMs, tpotMs: 3, costUsd: 1e-5, completionTokens: 8, confidence: null }
        const textHash = random
          .integer(2 ** 31)
          .toString(16)
          .padStart(16, "0")
        const key = { sampleId: idOf(i), repeat: 0, outcome: "ok", source: "foreign" } as const
        yield { facts: { ...key, ...facts, textHash }, latency: "warm" }
      }
    },
  } as unknown as RunStore
}

function bytesInUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it("holds some hundred bytes an answer with five metrics, through a whole comparison: no objects, which take thousands", () => {
  const record = { id: "r", dataset: { fingerprint: "d" }, config: {}, metrics: metrics.map((name) => ({ name })) }
  const run = record as unknown as RunRecord
  const store = storeOf()
  const answersOf = answersReader(store)
  const before = bytesInUse()
  const [baseline, candidate] = ["v0", "v1"].map((variant) =>
    storedVariant(store, { run, variant }, variant, new Set(), answersOf),
  ) as [ReturnType<typeof storedVariant>, ReturnType<typeof storedVariant>]
  const read = (bytesInUse() - before) / (2 * samples)
  expect(read).toBeLessThan(320)
  const comparison = compareVariants({
    ...{ baseline, candidate, metrics: [exactMatch(), chrf()], primary: ["exactMatch"] },
    ...{ margin: 0.02, alpha: 0.05, seed: 1 },
  })
  expect(comparison.metrics.map(({ n }) => n)).toEqual([samples, samples])
  // What is derived from the rows goes with them: pairs, differences, orders.
  const compared = (bytesInUse() - before) / (2 * samples)
  expect(compared).toBeLessThan(480)
  expect([baseline.answers.length, candidate.rows.size]).toEqual([samples, metrics.length])
})
