import { describe, expect, it } from "vitest"
import { divergence } from "../../../metrics/perplexity/divergence.ts"
import { quantizationFamilies } from "../../../src/analyse/sections/quantization/families.ts"
import { type JudgedPair, perCorrect } from "../../../src/analyse/sections/quantization/per-correct.ts"
import { quantizationSection } from "../../../src/analyse/sections/quantization/section.ts"
import type { SummarisedVariant } from "../../../src/analyse/summary/summarise.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import type { AnswerFacts } from "../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../src/core/random.ts"
import { type Figure, type KnownFigure, unknown } from "../../../src/core/report/figure.ts"
import type { QuantizationData } from "../../../src/core/report/report-sections.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { numberMetric, type Stated, scoredVariant } from "../../support/scored.ts"

const estimate = (value: number): Figure => ({ status: "known", value, n: 1, method: "stated" })

/** A variant of `tiny` with its answers; what a test does not state is unknown. */
function variant(
  name: string,
  quantization: string | null,
  stated: readonly Stated[],
  more: { model?: string; baseline?: boolean; modelBytes?: Figure; perCorrectUsd?: Figure; errorMs?: number } = {},
): SummarisedVariant {
  const { model = "tiny", baseline = false, modelBytes = unknown("a server of others"), errorMs = 0 } = more
  const { perCorrectUsd = unknown("no price") } = more
  return {
    identifiesContent: true,
    scored: scoredVariant(name, "exactMatch", stated),
    report: {
      ...{ name, model, quantization, baseline },
      ...{ resources: { modelBytes }, cost: { perCorrectUsd }, speed: { clientErrorMs: errorMs } },
    },
  } as unknown as SummarisedVariant
}

/** An answer of one token of which the mass moves from the first to the second alternative. */
function generationOf(name: string, sampleId: string, shift: number): Generation {
  const shares = [0.8 - shift, 0.2 + shift]
  const top = shares.map((share, i) => ({ token: "ab"[i] as string, logprob: Math.log(share) }))
  return { variant: name, sampleId, repeat: 0, outcome: "ok", text: "a", logprobs: [{ ...top[0], top }] } as never
}

function storeOf(shifts: Readonly<Record<string, (i: number) => number>>, count: number): RunStore {
  const of = (name: string, i: number) => generationOf(name, `s${i}`, shifts[name]?.(i) ?? 0)
  return {
    generations: (_run: string, name: string) => Array.from({ length: count }, (_, i) => of(name, i)),
    generation: (_run: string, { variant: name, sampleId }: { variant: string; sampleId: string }) =>
      of(name, Number(sampleId.slice(1))),
    sample: (_dataset: string, id: string) => ({ id, references: [] }),
  } as unknown as RunStore
}

const exact = numberMetric("exactMatch")
const evaluation = {
  metrics: [exact as AnyMetric],
  pairMetrics: [divergence()],
  primary: ["exactMatch"],
  missing: "worst",
  alpha: 0.05,
  seed: 1,
} as unknown as Evaluation

/** Answers that are right but for the first `wrong`, with times and tokens that vary a little. */
function answers(
  count: number,
  wrong: number,
  facts: Partial<AnswerFacts> & { tpotMs?: number; tokens?: number },
): Stated[] {
  const { tokens = 40, tpotMs = 5, ...others } = facts
  const random = createRandom(`${tokens}/${tpotMs}`)
  return Array.from({ length: count }, (_, i): Stated => {
    const noise = 1 + 0.1 * (random.next() - 0.5)
    const longer = Math.round(tokens * noise)
    return {
      value: Number(i >= wrong),
      facts: {
        confidence: 0.9,
        completionTokens: longer,
        tpotMs: tpotMs * noise,
        e2eMs: tpotMs * longer * noise,
        ...others,
      },
    }
  })
}

const sectionOf = async (
  variants: readonly SummarisedVariant[],
  shifts: Parameters<typeof storeOf>[0] = {},
  count = 60,
) => {
  const [family] = quantizationFamilies(variants)
  const source = { store: storeOf(shifts, count), runId: "r", dataset: "d" }
  const section = await quantizationSection({ ...source, evaluation, family: family! })
  const data = section.data as QuantizationData
  const cell = (name: string, of: string) => {
    const index = data.measures.findIndex((measure) => measure.name === of)
    return data.variants.find((entry) => entry.variant === name)!.figures[index]!
  }
  return { ...section, data, cell }
}

describe("the families of quantizations", () => {
  const few = answers(3, 0, {})
  it("are the variants of one model in at least two quantizations, against the baseline or the largest file", () => {
    const families = quantizationFamilies([
      variant("a-q4", "Q4_0", few),
      variant("a-f16", "F16", few, { baseline: true }),
      variant("b-q8", "Q8_0", few, { model: "b", modelBytes: estimate(2e6) }),
      variant("b-f16", "F16", few, { model: "b", modelBytes: estimate(4e6) }),
      variant("c-q8", "Q8_0", few, { model: "c" }),
      variant("c-hosted", null, few, { model: "c" }),
    ])
    expect(families.map(({ model, reference, others }) => [model, reference.report.name, others.length])).toEqual([
      ["tiny", "a-f16", 1],
      ["b", "b-f16", 1],
    ])
  })

  it("have no variant that differs from the reference in its prompt alone", () => {
    const [family] = quantizationFamilies([
      variant("f16", "F16", few, { baseline: true }),
      variant("f16-other-prompt", "F16", few),
      variant("q4", "Q4_0", few),
    ])
    expect(family?.others.map(({ report }) => report.name)).toEqual(["q4"])
  })
})

describe("the section of quantizations", () => {
  const f16 = variant("f16", "F16", answers(60, 6, {}), { baseline: true, modelBytes: estimate(4e6) })

  it("says that longer answers eat what a token gains", async () => {
    const q4 = variant("q4", "Q4_0", answers(60, 6, { tpotMs: 4, tokens: 48 }), { modelBytes: estimate(1e6) })
    const { sentences, cell } = await sectionOf([f16, q4])
    expect(cell("q4", "tokens").text).toMatch(/^\+(19|2\d)[.\d]* % \(\+1\d[.\d]* to \+2\d/)
    expect(cell("q4", "size").text).toBe("−75 %")
    expect(sentences[0]).toMatch(
      /^q4: by exact match, no answer of 60 changed between right and wrong; it ranks the same token first at 100 % of the positions; a token takes (19|2\d)[.\d]* % less time, but its answers are (19|2\d)[.\d]* % longer, which eats a part of it: /,
    )
  })

  it("counts flips both ways, and what a correct answer takes", async () => {
    const stated = answers(60, 6, { tpotMs: 2.5 }).map((entry, i) =>
      i >= 30 && i < 45 ? { ...entry, value: 0 } : i === 0 ? { ...entry, value: 1 } : entry,
    )
    const { cell, sentences } = await sectionOf([f16, variant("q2", "Q2_0", stated)])
    expect(cell("q2", "lost").text).toMatch(/^15 of 60 \(1\d[.\d]* to 3\d[.\d]* %\)$/)
    expect(cell("q2", "won").text).toMatch(/^1 of 60 /)
    // Half the time for 40 correct answers in place of 54.
    const perAnswer = (cell("q2", "timePerCorrect").figure as KnownFigure).value
    expect(perAnswer).toBeCloseTo(0.5 * (54 / 40) - 1, 1)
    expect(sentences[0]).toContain("15 right answers became wrong, and 1 wrong one became right")
    expect(sentences[0]).toMatch(/a correct answer takes 3\d[.\d]* % less time/)
  })

  it("puts no candidate before another where chance could have done it", async () => {
    const random = createRandom(3)
    const noise = Array.from({ length: 60 }, () => 0.05 * random.next())
    const others = ["q8", "q6", "q2"].map((name) => variant(name, name, answers(60, 6, {})))
    const { data } = await sectionOf([f16, ...others], {
      q8: (i) => 0.1 + (noise[i] as number),
      q6: (i) => 0.1 + (noise[59 - i] as number),
      q2: (i) => 0.4 + (noise[i] as number),
    })
    expect(data.ranking).toMatch(
      /smallest first: q[86] \([.\d]+\) and q[86] \([.\d]+\) with no provable difference, then q2 \([.\d]+\)\.$/,
    )
  })

  it("puts a candidate behind another where it is farther on most samples, however skewed the distances are", async () => {
    const others = ["q8", "q4"].map((name) => variant(name, name, answers(60, 6, {})))
    const { data } = await sectionOf([f16, ...others], { q8: () => 0.001, q4: (i) => (i === 7 ? 0.7 : 0.003) })
    expect(data.ranking).toMatch(/smallest first: q8 \([.\d]+\), then q4 \([.\d]+\)\.$/)
  })

  it("says of what is not measured why, once", async () => {
    const quantized = (name: string, type: string, baseline = false) =>
      variant(name, type, answers(20, 2, { e2eMs: null, tpotMs: null as never, isGiven: true }), { baseline })
    const { data, cell } = await sectionOf([quantized("f16", "F16", true), quantized("q4", "Q4_0")], {}, 20)
    expect(data.notMeasured).toContain("perplexity (no texts were given to be scored: add the metric perplexity()")
    expect(data.notMeasured).toContain("length of answers (nothing was generated: the texts were given)")
    expect(data.notMeasured).toContain("size of the file (a server of others)")
    expect(cell("q4", "perplexity").text).toBe("unknown")
  })

  it("takes hardware that is paid by the hour to be as sure as the time is", async () => {
    const paid = { perCorrectUsd: estimate(2e-6) }
    const q8 = variant("q8", "Q8_0", answers(60, 6, { tpotMs: 4 }), { perCorrectUsd: estimate(1.5e-6) })
    const { cell } = await sectionOf([variant("f16", "F16", answers(60, 6, {}), { baseline: true, ...paid }), q8])
    const figure = cell("q8", "costPerCorrect").figure as KnownFigure
    expect(figure.isApproximate).toBeUndefined()
    expect(figure.value).toBeCloseTo(-0.25, 12)
    expect(figure.low as number).toBeLessThanOrEqual(-0.25)
    expect(figure.high as number).toBeGreaterThan(-0.22)
  })
})

describe("a time that evalkit's own error could have made", () => {
  // Answers of 200 and 160 ms with 54 correct ones on both sides: 40 ms apart, 1 ms a token.
  const figureWith = async (errorMs: number) => {
    const paid = { perCorrectUsd: estimate(2e-6), errorMs }
    const f16 = variant("f16", "F16", answers(60, 6, {}), { baseline: true, ...paid })
    return sectionOf([f16, variant("q8", "Q8_0", answers(60, 6, { tpotMs: 4 }), { perCorrectUsd: estimate(1.6e-6) })])
  }
  const marked = ["timePerToken", "timePerAnswer", "timePerCorrect", "costPerCorrect"]

  it("is marked, and no sentence takes it for a change", async () => {
    const { cell, sentences } = await figureWith(21)
    for (const name of marked) {
      expect(cell("q8", name).figure, name).toMatchObject({ isApproximate: true, warning: expect.any(String) })
      expect(cell("q8", name).text, name).toMatch(/^~ −(19|2\d)/)
    }
    expect(cell("q8", "timePerAnswer").figure).toMatchObject({
      warning: expect.stringMatching(/^the difference of (39|4\d) ms is within evalkit's own timing error$/),
    })
    expect(sentences[0]).toContain("no change of the time of an answer is proven")
    expect(sentences[0]).toContain("no change of what a correct answer takes is proven")
    expect(sentences.join(" ")).toContain("~ stands before what evalkit's own timing error could have made")
  })

  it("is not said of equal times where the error is not known", async () => {
    const many = answers(60, 6, {})
    const { cell, sentences } = await sectionOf([
      variant("f16", "F16", many, { baseline: true }),
      variant("copy", "Q8_0", many),
    ])
    expect(cell("copy", "timePerAnswer").figure).not.toHaveProperty("warning")
    expect(sentences.join(" ")).not.toContain("~")
  })

  it("is a change where the error is less than half of it: each side may be off by the error", async () => {
    const { cell, sentences } = await figureWith(19)
    for (const name of marked) expect(cell("q8", name).text, name).toMatch(/^−(19|2\d)/)
    expect(sentences[0]).toMatch(/an answer takes (19|2\d)[.\d]* % less time/)
    expect(sentences.join(" ")).not.toContain("~")
  })
})

describe("what a correct answer takes", () => {
  const pairOf = (i: number, times: readonly [number, number], correct: readonly [number, number]): JudgedPair => {
    const answer = (e2eMs: number) => ({ sampleId: `s${i}`, repeat: 0, e2eMs }) as AnswerFacts
    return { answers: [answer(times[0]), answer(times[1])], correct }
  }

  it("has an interval that holds the truth in 93 to 97 worlds of 100", () => {
    const random = createRandom("per correct")
    const worlds = 400
    let held = 0
    for (let world = 0; world < worlds; world++) {
      const pairs = Array.from({ length: 100 }, (_, i) => {
        const length = 1 + random.next()
        const hard = random.next()
        const times = [length * (1 + 0.2 * random.next()), 0.7 * length * (1 + 0.2 * random.next())] as const
        return pairOf(i, times, [Number(hard < 0.8), Number(hard < 0.65 + 0.1 * random.next())])
      })
      // Truth: 0.7 of the time, for 0.7 correct answers in place of 0.8.
      const truth = (0.7 * 0.8) / 0.7 - 1
      const figure = perCorrect(pairs, ({ e2eMs }) => e2eMs, { alpha: 0.05 }) as KnownFigure
      held += Number((figure.low as number) <= truth && truth <= (figure.high as number))
    }
    expect(held / worlds).toBeGreaterThan(0.925)
    expect(held / worlds).toBeLessThan(0.98)
  })

  it("is unknown for a handful of correct answers", () => {
    const pairs = Array.from({ length: 50 }, (_, i) => pairOf(i, [1, 1], [1, Number(i < 3)]))
    expect(perCorrect(pairs, ({ e2eMs }) => e2eMs, { alpha: 0.05, timeErrorMs: 0 })).toMatchObject({
      status: "unknown",
    })
  })
})
