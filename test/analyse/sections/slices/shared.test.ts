import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../../metrics/match/exact-match.ts"
import { samplePositions } from "../../../../src/analyse/sections/slices/sample-positions.ts"
import { slicesSection } from "../../../../src/analyse/sections/slices/section.ts"
import type { SliceAxis } from "../../../../src/analyse/sections/slices/slice-axis.ts"
import { createRandom } from "../../../../src/core/random.ts"
import type { SectionOfKind } from "../../../../src/core/report/report-sections.ts"

const metric = exactMatch()
const languages = ["English", "French", "German", "Spanish"]
const topics = ["billing", "delivery", "login", "refunds"]
const ids = Array.from({ length: 400 }, (_, i) => `q${i}`)
const languageOf = (i: number) => languages[i % 4] as string
const topicOf = (i: number) => topics[Math.floor(i / 4) % 4] as string

function axis(title: string, slices: readonly string[], value: (i: number) => string): SliceAxis {
  return {
    ...{ axis: `metadata.${title}`, title, note: null, slices },
    of: Int16Array.from(ids, (_, i) => slices.indexOf(value(i))),
  }
}
const axes = [axis("language", languages, languageOf), axis("topic", topics, topicOf)]

/** 9 of 10 are right before; the candidate loses a share of them that depends on the sample. */
function sliced(seed: string, lossOf: (i: number) => number) {
  const random = createRandom(seed)
  const before = ids.map(() => Number(random.next() < 0.9))
  const after = before.map((value, i) => (value === 1 && random.next() < lossOf(i) ? 0 : value))
  const variant = (name: string, values: readonly number[]) => ({
    ...{ name, answers: [] },
    rows: new Map([
      [
        metric.name,
        values.map((value, i) => ({
          ...{ sampleId: ids[i] as string, repeat: 0, value },
          measured: { status: "scored", row: value } as const,
        })),
      ],
    ]),
  })
  return slicesSection({
    baseline: variant("before", before),
    candidates: [variant("after", after)],
    read: { positions: samplePositions(ids), axes, leftOut: [] },
    evaluation: { metrics: [metric], primary: [metric.name], alpha: 0.05, seed: 1, missing: "worst" },
    isAskedFor: true,
  }) as SectionOfKind<"slices">
}

const seeds = Array.from({ length: 10 }, (_, i) => `support-${i}`)
const isGermanRefund = (i: number) => languageOf(i) === "German" && topicOf(i) === "refunds"

describe("slices of two fields", () => {
  it("are named where they lost what neither field explains, in ten of ten seeds", () => {
    for (const seed of seeds) {
      const { data, sentences } = sliced(seed, (i) => (isGermanRefund(i) ? 0.6 : 0.06))
      expect(data.shared?.map(({ slice }) => slice)).toEqual(["language German and topic refunds"])
      expect(data.shared?.[0]).toMatchObject({ samples: 25, change: { moved: "worse" } })
      expect(sentences[0]).toMatch(/^after is worse than before on language German and topic refunds \(−\d/)
    }
  })

  it("are not named where one of the fields explains the loss, which is named itself", () => {
    for (const seed of seeds) {
      const { data, sentences } = sliced(seed, (i) => (languageOf(i) === "German" ? 0.5 : 0.03))
      expect(data.shared).toBeUndefined()
      expect(sentences[0]).toMatch(/^after is worse than before on language German \(/)
    }
  })
})

describe("a loss of what two fields share that is no proof among so many tests", () => {
  it("is the first of the drops to look at, with its interval", () => {
    const open = seeds.flatMap((seed) => {
      const { data, sentences } = sliced(seed, (i) => (isGermanRefund(i) ? 0.34 : 0.06))
      return data.shared?.[0]?.change.moved === "worse" ? [] : (sentences[0] ?? "")
    })
    const meant =
      /^The largest drops of after, none beyond chance beside the rest: language German and topic refunds \(−[\d.]+ points, between −[\d.]+ and −[\d.]+, 25 samples\)/
    expect(open.filter((sentence) => meant.test(sentence)).length).toBeGreaterThanOrEqual(open.length / 2)
  })
})

describe("slices where everything lost by as much", () => {
  it("do not stand out: the largest drops are named with their intervals as what they are", () => {
    const named = seeds.filter((seed) => {
      const { sentences } = sliced(seed, () => 0.1)
      if (sentences[0]?.startsWith("after is worse")) return true
      expect(sentences[0]).toMatch(
        /^The largest drops of after, none beyond chance beside the rest: (language|topic) \w+ \(−[\d.]+ points, between −[\d.]+ and [+−][\d.]+, \d+ samples\)/,
      )
      return false
    })
    expect(named.length).toBeLessThanOrEqual(1)
  })
})
