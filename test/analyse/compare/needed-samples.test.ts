import { describe, expect, it } from "vitest"
import { compareMetric } from "../../../src/analyse/compare/metric-comparison.ts"
import { neededSamples, type OpenDifference } from "../../../src/analyse/compare/needed-samples.ts"
import type { Stages } from "../../../src/analyse/interim/reading.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { normalQuantile } from "../../../src/stats/distributions.ts"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"
import { readingLevel, stagedLevelLeft, stagedLowerBound } from "../../../src/stats/sequential/staged-bound.ts"
import { sized } from "../../support/nightly.ts"
import { numberMetric, type Stated, scoredVariant } from "../../support/scored.ts"

const margin = 0.05
const alpha = 0.05

/** A run that is read, and extended by what it asks for where it is open: whether it is called as good in the end. */
type Follow = (
  random: Random,
  truth: number,
) => { readonly asked: number | null; readonly isGood: boolean; readonly isKept: boolean }

/** Follows the advice blindly: `draw` gives the lower bound by level of so many samples, and what is known of them. */
function follow(
  draw: (n: number) => { low(level: number): number; difference: number; error: number },
  first: number,
  gap: (n: number, level: number, difference: number) => number,
) {
  const pilot = draw(first)
  if (pilot.low(readingLevel(alpha, true)) > -margin) return { asked: null, isGood: true, isKept: true }
  const levelForMore = stagedLevelLeft([pilot.low], -margin, { alpha })
  const { difference, error } = pilot
  const needed =
    difference > -margin && levelForMore
      ? neededSamples({
          ...{ difference, error, samples: first, margin, level: alpha, levelForMore },
          gap: (n, level) => gap(n, level, difference),
        })
      : null
  if (needed?.as !== "extension" || needed.samples > 5000) return { asked: null, isGood: false, isKept: false }
  const more = draw(needed.samples)
  const isGood = stagedLowerBound([pilot.low, more.low], { alpha, more: true }) > -margin
  return { asked: needed.samples, isGood, isKept: isGood }
}

const deviation = 0.3

/** A metric whose differences are normal with a known deviation. */
const normal: Follow = (random, truth) =>
  follow(
    (n) => {
      const error = deviation / Math.sqrt(n)
      const difference = truth + error * random.normal()
      return { difference, error, low: (level) => difference + normalQuantile(level) * error }
    },
    100,
    (n, level) => (-normalQuantile(level) * deviation) / Math.sqrt(n),
  )

/** Right and wrong answers of which 30 % change. */
const binary: Follow = (random, truth) => {
  let pilot = { lost: 0, won: 0 }
  return follow(
    (n) => {
      const counts = { lost: 0, won: 0 }
      for (let i = 0; i < n; i++) {
        const u = random.next()
        if (u < 0.15 - truth / 2) counts.lost++
        else if (u < 0.3) counts.won++
      }
      if (n === 200) pilot = counts
      const difference = (counts.won - counts.lost) / n
      const error = Math.sqrt(((counts.won + counts.lost) / n - difference ** 2) / n)
      return { difference, error, low: (level) => tangoInterval(counts.lost, counts.won, n, 2 * level).low }
    },
    200,
    (n, level, difference) =>
      difference - tangoInterval((pilot.lost * n) / 200, (pilot.won * n) / 200, n, 2 * level).low,
  )
}

describe("a run that is extended by as many samples as it asked for", () => {
  it.each([
    { name: "normal differences", world: normal, runs: sized(6000, 2000) },
    { name: "right and wrong answers", world: binary, runs: sized(2500, 1000) },
  ])("is called as good in at most alpha of the runs on the margin: $name", ({ name, world, runs }) => {
    const random = createRandom(`margin/${name}`)
    let wrong = 0
    for (let run = 0; run < runs; run++) wrong += Number(world(random, -margin).isGood)
    expect(wrong / runs).toBeLessThanOrEqual(alpha + 2 * Math.sqrt((alpha * (1 - alpha)) / runs))
    // The error rate is used, too: extending is worth something.
    expect(wrong / runs).toBeGreaterThan(0.03)
  })
  it.each([
    { name: "normal differences", world: normal, runs: sized(6000, 2000) },
    { name: "right and wrong answers", world: binary, runs: sized(4000, 2000) },
  ])("keeps the promised 80 % over all truths that its estimate leaves open: $name", ({ name, world, runs }) => {
    const random = createRandom(`promise/${name}`)
    let asked = 0
    let kept = 0
    for (let run = 0; run < runs; run++) {
      // No truth is likelier than another, as the promise assumes.
      const result = world(random, 0.3 * (random.next() - 0.5))
      if (result.asked === null) continue
      asked++
      kept += Number(result.isKept)
    }
    expect(asked).toBeGreaterThan(sized(200, 100))
    const error = Math.sqrt((0.8 * 0.2) / asked)
    expect(kept / asked).toBeGreaterThan(0.77 - 2 * error)
    expect(kept / asked).toBeLessThan(0.83 + 2 * error)
  })
})

const question: OpenDifference = {
  ...{ difference: 0.01, error: 0.04, samples: 100, margin, level: 0.05, levelForMore: null },
  gap: (n, level) => (-normalQuantile(level) * 0.4) / Math.sqrt(n),
}

describe("neededSamples", () => {
  it("asks for a new run where no part of the error rate was kept, and for an extension where it was", () => {
    expect(neededSamples(question)).toMatchObject({ as: "new_run" })
    const more = neededSamples({ ...question, levelForMore: 0.07 })
    expect(more).toMatchObject({ as: "extension" })
    // So little is left that a new run is the better advice, and the only one that can be given.
    expect(neededSamples({ ...question, levelForMore: 0.07, difference: -0.04 })).toMatchObject({ as: "new_run" })
  })
  it("says what shows that nothing is lost, if nothing is, where the estimate lies too near the margin for a promise", () => {
    // (z(.95) + z(.8))² · .4² / .05²
    const planned = { samples: 396, as: "new_run", if: "non_inferior" }
    expect(neededSamples({ ...question, difference: -0.04 })).toEqual(planned)
    expect(neededSamples({ ...question, difference: -0.06 })).toEqual(planned)
    expect(neededSamples({ ...question, difference: -0.3 })).not.toHaveProperty("if")
    expect(neededSamples({ ...question, margin: 0 })).toBeNull()
    expect(neededSamples({ ...question, gap: () => null })).toBeNull()
  })
  it("is kept in four of five new runs of models that lose nothing, by right and wrong answers", () => {
    const random = createRandom("nothing lost")
    const run = (n: number) => {
      const changed = Array.from({ length: n }, () => random.next())
      const rows = (name: string, isRight: (u: number) => boolean) =>
        scoredVariant(
          name,
          "em",
          changed.map((u) => ({ value: Number(isRight(u)) })),
        ).rows.get("em") ?? []
      const sides = [rows("a", (u) => u >= 0.05), rows("b", (u) => u < 0.05 || u >= 0.1)] as const
      return compareMetric(numberMetric("em"), ...sides, { primary: true, margin, alpha, seed: 1 })
    }
    const asked: number[] = []
    let shown = 0
    for (let i = 0; i < sized(150, 60); i++) {
      const { verdict, neededN, neededIf } = run(100)
      if (verdict !== "inconclusive") continue
      expect(neededN).not.toBeNull()
      if (neededIf === undefined) continue
      asked.push(neededN ?? Number.NaN)
      shown += Number(run(neededN ?? 0).verdict === "non_inferior")
    }
    // 248 are what a plan that knows the rate of changes asks for.
    expect(asked.reduce((sum, n) => sum + n, 0) / asked.length).toBeLessThan(1.5 * 248)
    expect(shown / asked.length).toBeGreaterThan(0.8 - 2 * Math.sqrt(0.16 / asked.length))
  })
  it("asks for what an unchanged model needs where nothing differed", () => {
    // Tango: ± z² / (n + z²) around 0 when none of n changed.
    const z2 = normalQuantile(0.95) ** 2
    const nothing = { ...question, difference: 0, error: 0, samples: 40, margin: 0.01 }
    const needed = neededSamples({ ...nothing, gap: (n) => z2 / (n + z2) })
    expect(needed?.as).toBe("new_run")
    expect(Math.abs((needed?.samples ?? 0) - 268)).toBeLessThanOrEqual(1)
  })
})

describe("a comparison of a run that may be extended", () => {
  const metric = numberMetric("exact match")
  const pairs = (n: number, lostEvery: number) => {
    const a = Array.from({ length: n }, (): Stated => ({ value: 1 }))
    const b = a.map((_, i): Stated => ({ value: Number((i + 1) % lostEvery !== 0) }))
    const rows = (name: string, stated: readonly Stated[]) =>
      scoredVariant(name, metric.name, stated).rows.get(metric.name) ?? []
    return [rows("a", a), rows("b", b)] as const
  }
  const ids = (from: number, to: number) => new Set(Array.from({ length: to - from }, (_, i) => `s${from + i}`))
  const options = { primary: true, margin, alpha, seed: 1 }

  it("keeps a tenth of its error rate for that, says so, and asks for more of the same", () => {
    const reading: Stages = { kind: "stages", samples: [ids(0, 100)], more: true }
    const [a, b] = pairs(100, 50)
    const finding = compareMetric(metric, a, b, { ...options, reading })
    expect(finding.verdict).toBe("inconclusive")
    expect(finding.design).toMatchObject({ kind: "stages", samples: [100], reading: 1, more: true })
    expect(finding.design?.level).toBeCloseTo(0.045, 12)
    expect(finding.neededAs).toBe("extension")
    const once = compareMetric(metric, a, b, options)
    expect(finding.lowBound).toBeLessThan(once.lowBound as number)
    expect(once.design).toBeUndefined()
    expect(once.neededAs).toBe("new_run")
  })
  it("combines the readings, with less confidence than one reading of as many samples has", () => {
    const reading: Stages = { kind: "stages", samples: [ids(0, 100), ids(100, 400)], more: false }
    const [a, b] = pairs(400, 50)
    const finding = compareMetric(metric, a, b, { ...options, reading })
    const once = compareMetric(metric, a, b, options)
    expect(finding.verdict).toBe("non_inferior")
    expect(finding.p).toBeNull()
    expect(finding.lowBound).toBeLessThan(once.lowBound as number)
    expect(finding.lowBound).toBeGreaterThan(-margin)
    expect(finding.low).toBeLessThanOrEqual(finding.lowBound as number)
    expect(finding.method).toContain("2 readings")
  })
  it("does not count samples of clusters again that an earlier reading has seen", () => {
    const reading: Stages = { kind: "stages", samples: [ids(0, 100), ids(100, 400)], more: false }
    const clustered = pairs(400, 50).map((rows) =>
      rows.map((row, i) => ({ ...row, cluster: i < 150 ? `c${i % 100}` : `c${i}` })),
    )
    const finding = compareMetric(metric, clustered[0] ?? [], clustered[1] ?? [], { ...options, reading })
    expect(finding.method).toContain("without 50 pairs of clusters that had been read before")
  })
})
