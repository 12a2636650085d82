import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compressionRatio } from "../../../metrics/diversity/compression-ratio.ts"
import { distinctN } from "../../../metrics/diversity/distinct-n.ts"
import { readability } from "../../../metrics/diversity/readability.ts"
import { selfBleu } from "../../../metrics/diversity/self-bleu.ts"
import { contains } from "../../../metrics/match/contains.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { jsonMatch } from "../../../metrics/match/json-match.ts"
import { numericMatch } from "../../../metrics/match/numeric-match.ts"
import { regexMatch } from "../../../metrics/match/regex-match.ts"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { editDistance } from "../../../metrics/overlap/edit-distance.ts"
import { jaroWinkler } from "../../../metrics/overlap/jaro-winkler.ts"
import { meteor } from "../../../metrics/overlap/meteor.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { ter } from "../../../metrics/overlap/ter.ts"
import { tokenF1 } from "../../../metrics/overlap/token-f1.ts"
import type { AnyMetric, RowEntry } from "../../../src/core/metric/metric.ts"
import { isUnspaced } from "../../../src/text/language.ts"
import { measure, type Pair, scoreOf } from "../lexical-fixtures.ts"

/** Every lexical metric: the value of a text that equals its reference, and whether another reference can only help. */
const cases: readonly [name: string, metric: unknown, identity: number | null, best: boolean][] = [
  ["bleu", bleu(), 100, false],
  ["bleu, character by character", bleu({ tokenize: "char", smooth: "floor" }), 100, false],
  ["chrf", chrf(), 100, true],
  ["chrf++", chrf({ wordOrder: 2 }), 100, true],
  ["ter", ter(), 0, false],
  ["rouge1", rouge({ type: "rouge1", stem: true }), 1, true],
  ["rougeL", rouge(), 1, true],
  ["rougeLsum, mean", rouge({ type: "rougeLsum", aggregate: "mean" }), 1, false],
  ["meteor", meteor({ synonyms: false, gamma: 0 }), 1, true],
  ["exactMatch", exactMatch(), 1, true],
  ["tokenF1", tokenF1(), 1, true],
  ["contains", contains(), 1, true],
  ["numericMatch", numericMatch(), 1, true],
  ["regexMatch", regexMatch({ pattern: "(.+)", flags: "s", group: 1 }), 1, true],
  ["jsonMatch", jsonMatch({ check: "valid" }), null, true],
  ["editDistance", editDistance(), 0, true],
  ["editDistance, normalized", editDistance({ normalized: true }), 0, true],
  ["editDistance, by word", editDistance({ by: "word" }), 0, true],
  ["jaroWinkler", jaroWinkler(), 1, true],
  ["distinctN", distinctN({ n: 1 }), null, true],
  ["selfBleu", selfBleu(), null, true],
  ["compressionRatio", compressionRatio(), null, true],
  ["readability", readability({ formula: "lix" }), null, true],
]

const word = fc.constantFrom(
  "red",
  "Dogs",
  "running",
  "constructor",
  "__proto__",
  "x-ray",
  "café",
  "我们",
  "👍🏽",
  "שלום",
  "3.5",
)
// A letter and a number in each, so that no tokenizer drops the whole text and numericMatch has something to read.
const text = fc.array(word, { maxLength: 8 }).map((words) => [...words, "w7 42"].join(" "))
const pair = fc.record({ hyp: text, refs: fc.array(text, { minLength: 1, maxLength: 3 }) })
const few = { numRuns: 40 }

async function entriesOf(metric: AnyMetric, pairs: readonly Pair[]): Promise<RowEntry<unknown>[]> {
  const entries: RowEntry<unknown>[] = []
  for (const [i, { hyp, refs }] of pairs.entries()) {
    const measured = await measure(metric, hyp, refs)
    if (measured.status === "scored") entries.push({ row: measured.row, sampleId: `s${i}`, repeat: 0 })
  }
  return entries
}

describe.each(cases)("%s", (_name, anyMetric) => {
  const metric = anyMetric as AnyMetric

  it("stays within its range, row by row and over a corpus", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 2, maxLength: 4 }), async (pairs) => {
        const entries = await entriesOf(metric, pairs)
        const [low, high] = metric.range
        for (const value of [...entries.map(({ row }) => metric.value(row)), metric.summarise(entries).value]) {
          if (value === null) continue
          expect(value).toBeGreaterThanOrEqual(low - 1e-9)
          expect(value).toBeLessThanOrEqual(high + 1e-9)
        }
      }),
      few,
    )
  })

  it("does not depend on the order of samples, and its corpus figure is that of the pooled rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 2, maxLength: 5 }), async (pairs) => {
        const entries = await entriesOf(metric, pairs)
        const { value } = metric.summarise(entries)
        const backward = metric.summarise([...entries].reverse()).value
        expect(backward === value || Math.abs((backward as number) - (value as number)) < 1e-9).toBe(true)
        const { aggregation } = metric
        if (aggregation.kind === "rows") return
        const size = aggregation.kind === "sum" ? aggregation.size : 1
        const sum = new Float64Array(size)
        for (const { row } of entries) {
          const entry = new Float64Array(size)
          if (aggregation.kind === "sum") aggregation.vector(row, entry, 0)
          else entry[0] = (metric.value(row) as number) / entries.length
          for (let i = 0; i < size; i++) sum[i] = (sum[i] as number) + (entry[i] as number)
        }
        const pooled = aggregation.kind === "sum" ? aggregation.score(sum) : (sum[0] as number)
        expect(pooled).toBeCloseTo(value as number, 9)
      }),
      few,
    )
  })
})

describe("a text that equals its reference", () => {
  const identities = cases.filter(([, , identity]) => identity !== null)
  it.each(identities)("has the best value there is: %s", async (name, metric, identity) => {
    await fc.assert(
      fc.asyncProperty(text, async (same) => {
        const result = await scoreOf(metric as AnyMetric, same, [same])
        // ROUGE reads a–z and 0–9 alone, and is no figure of a text that has few of them.
        const isUnread = isUnspaced(same) || (name.startsWith("rouge") && /[^\x00-\x7f]/.test(same))
        if (isUnread && String(result).startsWith("language: ")) return
        expect(result).toBeCloseTo(identity as number, 9)
      }),
      few,
    )
  })
})

describe("one more reference", () => {
  const best = cases.filter(([, , , isBest]) => isBest)
  it.each(best)("never lowers an answer's score: %s", async (_name, anyMetric) => {
    const metric = anyMetric as AnyMetric
    const sign = metric.direction === "higher" ? 1 : -1
    await fc.assert(
      fc.asyncProperty(pair, text, async ({ hyp, refs }, another) => {
        const before = await scoreOf(metric, hyp, refs)
        const after = await scoreOf(metric, hyp, [...refs, another])
        if (typeof before !== "number" || typeof after !== "number") return
        expect(sign * after).toBeGreaterThanOrEqual(sign * before - 1e-12)
      }),
      few,
    )
  })
})
