import { describe, expect, it } from "vitest"
import { divergence } from "../../../metrics/perplexity/divergence.ts"
import { calibrationSection } from "../../../src/analyse/sections/calibration.ts"
import { divergenceSection } from "../../../src/analyse/sections/divergence.ts"
import { robustnessSection } from "../../../src/analyse/sections/robustness.ts"
import type { CopyOf } from "../../../src/core/copy-of.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { MetricRow } from "../../../src/core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"
import type { CalibrationData, RobustnessData, TableData } from "../../../src/core/report/report-sections.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { answerOf, sampleOf } from "../../metrics/lexical-fixtures.ts"

interface SyntheticAnswer {
  readonly id: string
  readonly value: number
  readonly confidence?: number
  readonly text?: string
  readonly copyOf?: CopyOf
}

function variantOf(name: string, answers: readonly SyntheticAnswer[]): ScoredVariant {
  return {
    name,
    answers: answers.map(
      ({ id, confidence, text, copyOf }): AnswerFacts => ({
        sampleId: id,
        repeat: 0,
        outcome: "ok",
        source: "measured",
        ttftMs: null,
        e2eMs: null,
        tpotMs: null,
        costUsd: null,
        completionTokens: null,
        textHash: text ?? id,
        confidence: confidence ?? null,
        ...(copyOf && { copyOf }),
      }),
    ),
    rows: new Map([
      [
        "exactMatch",
        answers.map(
          ({ id, value, copyOf }): MetricRow => ({
            sampleId: id,
            repeat: 0,
            measured: { status: "scored", row: value },
            value,
            ...(copyOf && { copyOf }),
          }),
        ),
      ],
    ]),
  }
}

/** Answers that claim more than they hold: right with the square root of what they claim lacks. */
function overconfident(n: number): SyntheticAnswer[] {
  const random = createRandom(7)
  return Array.from({ length: n }, (_, i) => {
    const z = random.normal() + 0.5
    return {
      id: `s${i}`,
      value: Number(random.next() < 1 / (1 + Math.exp(-z))),
      confidence: 1 / (1 + Math.exp(-3 * z)),
    }
  })
}

describe("calibrationSection", () => {
  it("shows bins with intervals, the error, and that scaling helps an overconfident variant", () => {
    const section = calibrationSection([variantOf("loud", overconfident(600))], { quality: "exactMatch", seed: 1 })
    const { variants } = section!.data as unknown as CalibrationData
    const [only] = variants
    expect(only!.expectedCalibrationError).toMatchObject({ status: "known", n: 600 })
    expect(only!.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(600)
    for (const bin of only!.bins) {
      expect(bin.low!).toBeLessThanOrEqual(bin.accuracy)
      expect(bin.high!).toBeGreaterThanOrEqual(bin.accuracy)
    }
    expect(only!.scaling).toMatchObject({ improves: true, fittedOn: 300, shownOn: 300 })
    expect(only!.scaling!.temperature).toBeGreaterThan(2)
    expect(section?.sentences[0]).toMatch(
      /^loud is (over|under)confident: .* right, the difference between [+−]\d.* and [+−]\d.* points \(n = 600\)\.$/,
    )
    expect(section?.sentences[1]).toMatch(/^loud: Negative log-likelihood .*Temperature scaling lowers it/)
    // As many digits as the table beside it.
    expect(section?.sentences[1]).toMatch(/ answers: 0\.\d{3} nats as stated, 0\.\d{3} with temperature scaling/)
    expect(only!.recalibrations!.map(({ method }) => method)).toEqual(["temperature", "platt", "isotonic"])
    for (const { method, shownOn, lossAfter, lossBefore, errorAfter, errorBefore, change } of only!.recalibrations!) {
      if (change.status === "unknown") throw new Error(change.reason)
      expect(shownOn).toBe(300)
      expect(change.value).toBeCloseTo(lossAfter - lossBefore, 12)
      // Isotonic regression claims 0 or 1 at its ends and may pay dearly for it.
      if (method !== "isotonic") expect(change.high!).toBeLessThan(0)
      expect(errorAfter).toBeLessThan(errorBefore)
    }
  })

  it("calls nothing overconfident that chance could have made so", () => {
    const honest = (n: number, right: number) =>
      Array.from({ length: n }, (_, i) => ({ id: `s${i}`, confidence: 0.8, value: Number(i % 100 < right) }))
    const said = (n: number, right: number) =>
      calibrationSection([variantOf("v", honest(n, right))], { quality: "exactMatch", seed: 1 })?.sentences[0]
    expect(said(200, 77)).toMatch(
      /^v is not shown to be over- or underconfident on average: 80 % .* 77 % right, the difference between −/,
    )
    expect(said(20_000, 77)).toMatch(/^v is overconfident: .* the difference between \+2\.\d+ and \+3\.\d+ points/)
    expect(said(20_000, 83)).toMatch(/^v is underconfident: .* between −3\.\d+ and −2\.\d+ points/)
  })

  it("says that scaling does not help where confidence is honest", () => {
    const random = createRandom(3)
    const honest = Array.from({ length: 400 }, (_, i) => {
      const confidence = 0.05 + 0.9 * random.next()
      return { id: `s${i}`, confidence, value: Number(random.next() < confidence) }
    })
    const section = calibrationSection([variantOf("calm", honest)], { quality: "exactMatch", seed: 2 })
    const scaling = (section!.data as unknown as CalibrationData).variants[0]!.scaling!
    expect(Math.abs(scaling.lossAfter - scaling.lossBefore)).toBeLessThan(0.02)
    expect(section?.sentences[1]).toMatch(
      scaling.improves
        ? /Temperature scaling lowers it/
        : /Temperature scaling does not lower it|None of them lowers it/,
    )
  })

  it("says so when no recalibration lowers the loss", () => {
    // Confidence is the very share right: whatever is fitted to one half is noise on the other.
    const honest = Array.from({ length: 400 }, (_, i) => ({ id: `s${i}`, confidence: 0.75, value: Number(i % 4 > 0) }))
    const sentences = new Set(
      [1, 2, 3].map((seed) => {
        const section = calibrationSection([variantOf("calm", honest)], { quality: "exactMatch", seed })!
        const { recalibrations } = (section.data as unknown as CalibrationData).variants[0]!
        const helps = recalibrations!.some(({ improves }) => improves)
        return helps || section.sentences[1]!.includes("None of them lowers it.")
      }),
    )
    expect([...sentences]).toEqual([true])
  })

  it("splits the error by group where samples have groups", () => {
    const answers = overconfident(240)
    const variant = variantOf("loud", answers)
    const grouped = {
      ...variant,
      answers: variant.answers.map((answer, i) => ({ ...answer, group: i % 2 === 0 ? "even" : "odd" })),
    }
    const section = calibrationSection([grouped], { quality: "exactMatch", seed: 1 })!
    const { groups } = (section.data as unknown as CalibrationData).variants[0]!
    expect(groups!.map(({ group }) => group)).toEqual(["even", "odd"])
    for (const { expectedCalibrationError } of groups!)
      expect(expectedCalibrationError).toMatchObject({ status: "known", n: 120 })
  })

  it("says when n is too small and gives nothing without confidence", () => {
    const few = calibrationSection([variantOf("few", overconfident(20))], { quality: "exactMatch", seed: 1 })
    expect(few?.sentences[0]).toMatch(/n too small/)
    const [only] = (few!.data as unknown as CalibrationData).variants
    expect(only!.expectedCalibrationError).toMatchObject({ warning: "n too small: 20 answers, 100 needed" })
    expect(
      calibrationSection([variantOf("mute", [{ id: "a", value: 1 }])], { quality: "exactMatch", seed: 1 }),
    ).toBeNull()
  })

  it("does not depend on the order of the answers", () => {
    const answers = overconfident(200)
    const make = (list: SyntheticAnswer[]) =>
      calibrationSection([variantOf("v", list)], { quality: "exactMatch", seed: 1 })?.sentences
    expect(make(answers.toReversed())).toEqual(make(answers))
  })
})

describe("robustnessSection", () => {
  const copyOf = (i: number, change: string) => ({ id: `s${i}`, kind: "perturbed", change }) as const
  const families = Array.from({ length: 40 }, (_, i) => [
    { id: `s${i}`, value: 1, text: `t${i}` },
    { id: `${i}t`, copyOf: copyOf(i, "typos"), value: Number(i % 4 !== 0), text: `typo${i}` },
    { id: `${i}c`, copyOf: copyOf(i, "case"), value: 1, text: `t${i}` },
  ]).flat()

  it("shows the paired drop per perturbation, the worst case and the invariance", () => {
    const metric = { name: "exactMatch", range: [0, 1], direction: "higher", unit: "share" } as const
    const section = robustnessSection([variantOf("v", families)], { metric, seed: 1 })
    const data = section!.data as unknown as RobustnessData
    expect(data.rows.map((row) => [row.perturbation, row.drop.status === "known" ? row.drop.value : null])).toEqual([
      ["case", 0],
      ["typos", -0.25],
    ])
    expect(data.summaries).toMatchObject([{ worstCase: { value: 0.75 }, invariance: { value: 0.5, n: 80 } }])
    expect(section?.sentences[0]).toBe(
      "v: 1 of 2 perturbations harm exactMatch beyond chance (Benjamini and Hochberg); the worst is typos with −25 points (n = 40, between −40.2 and −14).",
    )
  })

  it("takes the repeats of a sample for one: equal ones narrow no interval", () => {
    const metric = { name: "exactMatch", range: [0, 1], direction: "higher", unit: "share" } as const
    const invariance = (repeats: number) => {
      const half = families.map((it, i) => (i % 6 === 2 ? { ...it, text: "other" } : it))
      const variant = variantOf(
        "v",
        half.filter(({ id }) => !id.endsWith("t")),
      )
      const answers = Array.from({ length: repeats }, (_, repeat) =>
        variant.answers.map((it) => ({ ...it, repeat })),
      ).flat()
      const section = robustnessSection([{ ...variant, answers }], { metric, seed: 1 })
      const { low, high } = (section!.data as unknown as RobustnessData).summaries![0]!.invariance as KnownFigure
      return [low, high]
    }
    const [once, thrice] = [invariance(1), invariance(3)]
    expect(once[0]).toBeGreaterThan(0)
    expect(once[1]).toBeGreaterThan(0.5)
    expect(thrice[0]).toBeCloseTo(once[0] as number, 1)
    expect(thrice[1]).toBeCloseTo(once[1] as number, 1)
  })

  it("says of harmless perturbations, however many there are, in one of twenty runs at most that one harms", () => {
    const metric = { name: "exactMatch", range: [0, 1], direction: "higher", unit: "share" } as const
    const claims = Array.from({ length: 40 }, (_, seed) => {
      const random = createRandom(`perturbed-${seed}`)
      const answers = Array.from({ length: 60 }, (__, i) => [
        { id: `s${i}`, value: Number(random.next() < 0.7) },
        ...Array.from({ length: 16 }, (___, k) => ({
          id: `${i}-${k}`,
          copyOf: copyOf(i, `change ${k}`),
          value: Number(random.next() < 0.7),
        })),
      ]).flat()
      return robustnessSection([variantOf("v", answers)], { metric, seed: 1 })!.sentences[0]!.startsWith("v: 0 of 16")
    })
    expect(claims.filter((isNone) => !isNone).length).toBeLessThanOrEqual(4)
  })

  it("is left out where nothing was perturbed", () => {
    const metric = { name: "exactMatch", range: [0, 1], direction: "higher" } as const
    expect(robustnessSection([variantOf("v", [{ id: "a", value: 1 }])], { metric, seed: 1 })).toBeNull()
  })

  it("reads nothing from the spelling of an id", () => {
    const metric = { name: "exactMatch", range: [0, 1], direction: "higher" } as const
    const spelled = families.map(({ id, value, text }) => ({ id: `${id}~perturbed:typos`, value, text }))
    expect(robustnessSection([variantOf("v", spelled)], { metric, seed: 1 })).toBeNull()
  })
})

describe("divergenceSection", () => {
  /** An answer of one token with its alternatives; `shift` moves mass from the first to the second. */
  function generation(variant: string, sampleId: string, shift: number): Generation {
    const shares = [0.8 - shift, 0.2 + shift]
    const top = shares.map((share, i) => ({ token: "ab"[i]!, logprob: Math.log(share) }))
    return { ...answerOf("a"), variant, sampleId, logprobs: [{ ...top[0]!, top }] }
  }
  const ids = Array.from({ length: 30 }, (_, i) => `s${i}`)
  const shifts = new Map([
    ["base", 0],
    ["near", 0.01],
    ["far", 0.3],
  ])
  const store = {
    generations: (_run: string, variant: string) => ids.map((id) => generation(variant, id, shifts.get(variant)!)),
    generation: (_run: string, key: { variant: string; sampleId: string }) =>
      generation(key.variant, key.sampleId, shifts.get(key.variant)!),
    sample: (_dataset: string, id: string) => sampleOf([], { id }),
  } as Partial<RunStore> as RunStore
  const scoredAs = (name: string, wrong: number, text: string) =>
    variantOf(
      name,
      ids.map((id, i) => ({ id, value: Number(i >= wrong), text: `${text}${id}` })),
    )
  const options = {
    store,
    runId: "r",
    dataset: "d",
    metric: divergence(),
    baseline: scoredAs("base", 0, ""),
    quality: "exactMatch",
    seed: 1,
  }

  it("orders variants by their divergence and counts flips and changes without effect", async () => {
    const section = await divergenceSection({
      ...options,
      candidates: [scoredAs("far", 2, "x"), scoredAs("near", 0, "")],
    })
    const { columns, rows } = section!.data as unknown as TableData
    const cell = (row: number, title: string) => rows[row]![columns.findIndex((column) => column.title === title)]
    expect(cell(0, "variant")).toBe("far")
    expect(cell(0, "right → wrong")).toBe(2)
    expect(cell(0, "changed but equal")).toBe(28)
    expect(cell(1, "changed but equal")).toBe(0)
    expect(cell(0, "mean KL divergence")).toMatchObject({ status: "known", n: 30 })
    expect(section?.sentences[0]).toMatch(/nats\/token, smallest first: near \(0\.\d+\), then far \(0\.\d+\)\.$/)
  })

  it("is left out without log-probabilities", async () => {
    const silent = { ...store, generations: () => [answerOf("a")], generation: () => answerOf("a") } as RunStore
    expect(await divergenceSection({ ...options, store: silent, candidates: [scoredAs("far", 0, "")] })).toBeNull()
  })
})
