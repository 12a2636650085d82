import { describe, expect, it } from "vitest"
import { choiceMatch } from "../../metrics/match/choice-match.ts"
import { contains } from "../../metrics/match/contains.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { numericMatch } from "../../metrics/match/numeric-match.ts"
import { bleu } from "../../metrics/overlap/bleu.ts"
import { chrf } from "../../metrics/overlap/chrf.ts"
import { editDistance } from "../../metrics/overlap/edit-distance.ts"
import { jaroWinkler } from "../../metrics/overlap/jaro-winkler.ts"
import { rouge } from "../../metrics/overlap/rouge.ts"
import { ter } from "../../metrics/overlap/ter.ts"
import { tokenF1 } from "../../metrics/overlap/token-f1.ts"
import { makeTextMetric } from "../../metrics/text-metrics.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { textMeasureOf } from "../../src/core/metric/text-measure.ts"
import { withNamedFaults } from "../../src/score/name-faults.ts"
import { fakeSample } from "../support/fake-variant.ts"

const metrics = [
  bleu({ name: "b", tokenize: "char", smooth: "add-k", smoothValue: 2 }),
  chrf({ wordOrder: 2, lowercase: true }),
  choiceMatch({ unanswered: "guess" }),
  contains({ match: "all" }),
  editDistance({ normalized: true }),
  exactMatch({ normalize: "none" }),
  jaroWinkler({ prefixScale: 0.2 }),
  numericMatch({ absoluteTolerance: 1 }),
  rouge({ type: "rougeLsum", language: "fr" }),
  ter({ normalized: true }),
  tokenF1({ name: "f" }),
] as unknown as readonly AnyMetric[]

const texts = ["A", "the answer is 42.", "", "Les maisons\nanciennes 41", "42"]
const references = ["42", "la maison ancienne"]

/** An object that fails where anything besides these fields is looked at. */
function only<Kind extends object>(fields: Partial<Kind>): Kind {
  return new Proxy(fields as Kind, {
    get(target, key) {
      if (!(key in target)) throw new Error(`${String(key)} was looked at`)
      return Reflect.get(target, key)
    },
  })
}

describe.each(metrics.map((metric) => ({ name: metric.signature, metric })))("$name", ({ metric }) => {
  it("looks at nothing of an answer besides its text, and uses no tool", async () => {
    for (const text of texts) {
      const generation = only<Generation>({ text })
      const sample = fakeSample("s", { references, choices: ["42", "la maison"] })
      const measured = await metric.measure(sample, generation, only<MetricTools>({}))
      expect(["scored", "unscored"]).toContain(measured.status)
    }
  })

  it("measures the same when it is made again of JSON", async () => {
    const recipe = textMeasureOf(metric)
    const second = makeTextMetric(JSON.parse(JSON.stringify(recipe)))
    expect(second.name).toBe(metric.name)
    expect(second.signature).toBe(metric.signature)
    for (const text of texts) {
      const sample = fakeSample("s", { references, choices: ["42", "la maison"] })
      const tools = only<MetricTools>({})
      const measured = await metric.measure(sample, only<Generation>({ text }), tools)
      expect(await second.measure(sample, only<Generation>({ text }), tools)).toEqual(measured)
      if (measured.status === "scored") expect(second.value(measured.row)).toBe(metric.value(measured.row))
    }
  })
})

describe("a metric that measures texts", () => {
  const metric = exactMatch() as unknown as AnyMetric

  it("does so as well where its faults are named", () => {
    const [named] = withNamedFaults({ metrics: [metric] } as never).metrics
    expect(textMeasureOf(named as AnyMetric)).toEqual({ metric: "exactMatch", options: {} })
  })

  it("is not known to where it was changed or copied", () => {
    expect(textMeasureOf({ ...metric })).toBeNull()
    const changed = Object.assign(exactMatch() as unknown as AnyMetric, { value: () => 1 })
    expect(textMeasureOf(changed)).toBeNull()
    const [named] = withNamedFaults({ metrics: [{ ...metric, measure: () => expect.fail() }] } as never).metrics
    expect(textMeasureOf(named as AnyMetric)).toBeNull()
  })

  it("is not where an option is a function", () => {
    const tokenize = { name: "mine", tokenize: (text: string) => [...text] }
    expect(textMeasureOf(bleu({ tokenize }) as unknown as AnyMetric)).toBeNull()
    expect(() => makeTextMetric({ metric: "constructor", options: {} })).toThrow("no metric constructor")
  })
})
