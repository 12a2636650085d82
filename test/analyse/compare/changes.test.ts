import { describe, expect, it } from "vitest"
import { changesOf } from "../../../src/analyse/compare/changes.ts"
import type { AnswerFacts, ScoredVariant } from "../../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { inTurn } from "../../../src/run/plan.ts"

const options = { alpha: 0.05, smallestGain: 0.05, timeErrorMs: 0 }

/**
 * Two variants of the same samples on one machine whose speed drifts: requests of one variant follow each other for a turn,
 * and every turn finds the machine a little slower or faster.
 */
function onOneMachine(random: Random, shape: { turns: number; perTurn: number; drift: number; ratio?: number }) {
  const { turns, perTurn, drift, ratio = 1 } = shape
  const sides: Record<"a" | "b", AnswerFacts[]> = { a: [], b: [] }
  let sentMs = 0
  for (let turn = 0; turn < turns; turn++)
    for (const side of inTurn(["a", "b"] as const, turn)) {
      const machine = Math.exp(drift * random.normal())
      for (let i = 0; i < perTurn; i++) {
        const e2eMs = 100 * machine * Math.exp(0.1 * random.normal()) * (side === "b" ? ratio : 1)
        sentMs += e2eMs
        sides[side].push({ ...answer(`s${turn * perTurn + i}`), e2eMs, sentMs, segment: 0 })
      }
    }
  return { a: variant("a", sides.a), b: variant("b", sides.b) }
}

const answer = (sampleId: string): AnswerFacts => ({
  sampleId,
  repeat: 0,
  outcome: "ok",
  source: "measured",
  ttftMs: null,
  e2eMs: null,
  tpotMs: null,
  costUsd: null,
  completionTokens: null,
  textHash: sampleId,
  confidence: null,
})
const variant = (name: string, answers: readonly AnswerFacts[]): ScoredVariant => ({ name, answers, rows: new Map() })
const unstamped = ({ name, answers }: ScoredVariant) =>
  variant(
    name,
    answers.map(({ sentMs: _, ...rest }) => rest),
  )
const time = (a: ScoredVariant, b: ScoredVariant) => changesOf(a, b, options).find(({ figure }) => figure === "e2eMs")

describe("a change of time", () => {
  it("is not found between two names of one endpoint, although the machine drifts from turn to turn", () => {
    const random = createRandom("one endpoint, two names")
    const worlds = 250
    let count = 0
    let naive = 0
    for (let world = 0; world < worlds; world++) {
      const { a, b } = onOneMachine(random, { turns: 6, perTurn: 30, drift: 0.1 })
      count += Number(time(a, b)?.isMaterial)
      naive += Number(time(unstamped(a), unstamped(b))?.isMaterial)
    }
    expect(naive / worlds).toBeGreaterThan(0.15)
    expect(count / worlds).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / worlds))
  })
  it("is not told from drift by fewer than three turns", () => {
    const { a, b } = onOneMachine(createRandom(5), { turns: 2, perTurn: 100, drift: 0.1, ratio: 0.5 })
    expect(time(a, b)).toMatchObject({ turns: 2, low: null, high: null, isProven: false })
  })
  it("is found where it is there, in most runs of twelve turns", () => {
    const random = createRandom("a fifth faster")
    const changes = Array.from({ length: 100 }, () => {
      const { a, b } = onOneMachine(random, { turns: 12, perTurn: 15, drift: 0.1, ratio: 0.8 })
      return time(a, b)
    })
    expect(changes.filter((change) => change?.isMaterial && change.share < 0).length).toBeGreaterThan(90)
    expect(changes[0]?.turns).toBe(12)
  })
  it("is not material below the smallest gain, however sure it is", () => {
    const { a, b } = onOneMachine(createRandom(9), { turns: 200, perTurn: 5, drift: 0.01, ratio: 0.97 })
    expect(time(a, b)).toMatchObject({ isProven: true, isMaterial: false })
  })
  it("is no change where evalkit's own timing error could make it, however sure it is", () => {
    const { a, b } = onOneMachine(createRandom(9), { turns: 200, perTurn: 5, drift: 0.01, ratio: 0.8 })
    const mean = a.answers.reduce((sum, { e2eMs }) => sum + (e2eMs ?? 0), 0) / a.answers.length
    const within = (timeErrorMs: number) =>
      changesOf(a, b, { ...options, timeErrorMs }).find(({ figure }) => figure === "e2eMs")
    expect(within(mean * 0.1)).toMatchObject({ isProven: true, isMaterial: true })
    expect(within(mean * 0.3)).toMatchObject({
      isProven: false,
      isMaterial: false,
      method: expect.stringContaining("within evalkit's own timing error"),
    })
  })
  it("is no change where evalkit took the times and its own error was not measured, and is one of times that were recorded", () => {
    const { a, b } = onOneMachine(createRandom(9), { turns: 200, perTurn: 5, drift: 0.01, ratio: 0.8 })
    const unknown = { alpha: options.alpha, smallestGain: options.smallestGain }
    const change = (sides: readonly ScoredVariant[]) =>
      changesOf(sides[0] as ScoredVariant, sides[1] as ScoredVariant, unknown).find(({ figure }) => figure === "e2eMs")
    expect(change([a, b])).toMatchObject({
      isProven: false,
      isMaterial: false,
      method: expect.stringMatching(/evalkit's own timing error was not measured$/),
    })
    const recorded = [a, b].map(({ name, answers }) =>
      variant(
        name,
        answers.map((facts) => ({ ...facts, source: "recorded" as const })),
      ),
    )
    expect(change(recorded)).toMatchObject({ isProven: true, isMaterial: true })
  })
  it("is not spoilt by one slow start", () => {
    const { a, b } = onOneMachine(createRandom(2), { turns: 12, perTurn: 10, drift: 0.02 })
    const slow = variant(
      "a",
      a.answers.map((facts, i) => (i === 0 ? { ...facts, e2eMs: 20_000 } : facts)),
    )
    expect(time(slow, b)?.isMaterial).toBe(false)
  })
  it("says of one pair, or one turn, that it is one", () => {
    const variantOf = (name: string) => variant(name, [{ ...answer("x"), e2eMs: 100, costUsd: 0.1 }])
    expect(changesOf(variantOf("a"), variantOf("b"), options).map(({ method }) => method)).toEqual([
      "ratio of sums, delta method over 1 pair",
      "geometric mean of paired ratios, Student t over 1 pair",
    ])
    const { a, b } = onOneMachine(createRandom(5), { turns: 1, perTurn: 9, drift: 0 })
    expect(time(a, b)?.method).toMatch(/over 1 turn$/)
  })
  it("leaves out what no pair was measured for", () => {
    expect(changesOf(variant("a", [answer("x")]), variant("b", [answer("x")]), options)).toEqual([])
  })
})

describe("a change of cost", () => {
  const priced = (name: string, usd: number, over: (i: number) => Partial<AnswerFacts> = () => ({})) =>
    variant(
      name,
      Array.from({ length: 20 }, (_, i) => {
        const completionTokens = 1 + (i % 4)
        return { ...answer(`s${i}`), costUsd: usd * completionTokens, completionTokens, ...over(i) }
      }),
    )
  const limited = (side: ScoredVariant, usd: number) => ({ ...side, longestAnswer: { tokens: 1000, usd: 1000 * usd } })
  it("is exact where a price makes every answer change alike", () => {
    const [a, b] = [priced("a", 0.002), priced("b", 0.001)] as const
    const [change] = changesOf(limited(a, 0.002), limited(b, 0.001), options)
    expect(change).toMatchObject({ figure: "costUsd", isMaterial: true, text: "50 % cheaper" })
    expect(change?.method).toMatch(/the price alone differs$/)
    expect(change?.low).toBeCloseTo(-0.5, 12)
    expect(change?.high).toBeCloseTo(-0.5, 12)
    expect(changesOf(a, b, options)[0]).toMatchObject({ isMaterial: true, text: "50 % cheaper" })
  })
  it.each([
    ["a text of which differs", (i: number) => (i === 7 ? { textHash: "else" } : {})],
    ["a text of which is not known", (i: number) => (i === 7 ? { textHash: "" } : {})],
    ["whose tokens were not counted", () => ({ completionTokens: null })],
    ["one of which wrote other tokens", (i: number) => (i === 7 ? { completionTokens: 9 } : {})],
  ])("is estimated from answers %s, though all ratios are the same", (_, over) => {
    const [a, b] = [priced("a", 0.002), priced("b", 0.001, over)] as const
    const [both] = changesOf(limited(a, 0.002), limited(b, 0.001), options)
    expect(both).toMatchObject({ isProven: false, share: -0.5 })
    expect(both?.low).toBeLessThan(-1)
    // Answers of 1,000 tokens, 400 means at half the price, in a share of calls that 20 did not show.
    expect(both?.high).toBeCloseTo(-0.5 + (1 - 0.025 ** (1 / 20)) * 200.4, 0)
    const [ofCandidate] = changesOf(a, limited(b, 0.001), options)
    expect(ofCandidate).toMatchObject({ isProven: false, low: -0.5, high: both?.high })
    expect(changesOf(limited(a, 0.002), b, options)[0]).toMatchObject({ isProven: true, high: -0.5, low: both?.low })
  })
})

/** Two sides whose answers are of these lengths, a token of the one costing as much as of the other. */
function priced(
  tokens: readonly (readonly [number, number])[],
  longest: number | null,
): [ScoredVariant, ScoredVariant] {
  const limit = longest === null ? {} : { longestAnswer: { tokens: longest, usd: longest } }
  return ([0, 1] as const).map((side) => ({
    ...variant(
      `v${side}`,
      tokens.map((pair, i) => ({ ...answer(`s${i}`), costUsd: pair[side], completionTokens: pair[side] })),
    ),
    ...limit,
  })) as [ScoredVariant, ScoredVariant]
}

/** Share of worlds in which the second side is proven cheaper. */
function provenCheaper(n: number, longest: number | null, after: (before: number, random: Random) => number): number {
  const worlds = 100
  const changes = Array.from({ length: worlds }, (_, world) => {
    const random = createRandom(`runaway/${n}/${world}`)
    const tokens = Array.from({ length: n }, () => {
      const before = 50 + 100 * random.next()
      return [before, after(before, random)] as const
    })
    const change = changesOf(...priced(tokens, longest), options).find(({ figure }) => figure === "costUsd")
    return Number(change?.isProven === true && change.share < 0)
  })
  return changes.reduce((sum, value) => sum + value, 0) / worlds
}

describe("a cost with rare answers up to the limit", () => {
  // Seven tenths of the price, but a hundredfold in 1 % of calls: 39 % dearer on average.
  const noisy = (before: number, random: Random) => 0.7 * before * (0.8 + 0.4 * random.next())
  const runaway = (before: number, random: Random) => noisy(before, random) * (random.next() < 0.01 ? 100 : 1)
  const exact = (before: number, random: Random) => 0.7 * before * (random.next() < 0.01 ? 100 : 1)
  it.each([30, 100])("is not proven lower because none was met among %d", (n) => {
    expect(provenCheaper(n, null, runaway)).toBeGreaterThan(0.15)
    expect(provenCheaper(n, 12_600, runaway)).toBeLessThanOrEqual(0.05)
  })
  it.each([30, 100])("is not proven lower where all of %d ratios are the same", (n) => {
    expect(provenCheaper(n, null, exact)).toBeGreaterThan(0.15)
    expect(provenCheaper(n, 12_600, exact)).toBeLessThanOrEqual(0.05)
  })
  it("is proven lower where the limit is near what is written", () => {
    expect(provenCheaper(100, 300, noisy)).toBeGreaterThan(0.95)
    expect(provenCheaper(100, 150, noisy)).toBeGreaterThan(0.95)
    expect(provenCheaper(100, 300, (before) => 0.7 * before)).toBe(1)
  })
})

describe("a change of the slowest answers", () => {
  const side = (name: string, timeOf: (index: number) => number) =>
    variant(
      name,
      Array.from({ length: 1000 }, (_, i) => ({ ...answer(`s${i}`), e2eMs: timeOf(i) })),
    )
  const spread = (i: number) => 100 + ((i * 37) % 100)
  const before = side("a", spread)
  const e2e = (after: ScoredVariant, over: Partial<typeof options> = {}) =>
    changesOf(before, after, { ...options, ...over }).find(({ figure }) => figure === "e2eMs")

  it("is said where it goes the other way", () => {
    const after = side("b", (i) => (i % 40 === 0 ? 900 : spread(i) / 2))
    expect(e2e(after)).toMatchObject({
      tail: { isProven: true, share: expect.closeTo(3.55, 1) },
      text: expect.stringMatching(/^4[0-9.]+ % faster \(p99 4\.5\d times as slow\)$/),
    })
  })
  it("is said where the times as a whole show nothing", () => {
    const after = side("b", (i) => (i % 40 === 0 ? 900 : spread(i)))
    expect(e2e(after)).toMatchObject({ tail: { isProven: true } })
  })
  it("may be chance where the intervals of the two percentiles meet", () => {
    const after = side("b", (i) => (i < 12 ? 400 : spread(i) / 2))
    expect(e2e(after)).toMatchObject({
      tail: { isProven: false },
      text: expect.stringMatching(/, perhaps by chance\)$/),
    })
  })
  it("proves nothing within evalkit's own timing error", () => {
    const after = side("b", (i) => (i % 40 === 0 ? 900 : spread(i) / 2))
    expect(e2e(after, { timeErrorMs: 75 })).toMatchObject({ isProven: false, tail: { isProven: true } })
    expect(e2e(after, { timeErrorMs: 800 })).not.toHaveProperty("tail")
  })
  it("is not said where it goes with the others, is small, or is the slowest of few", () => {
    expect(e2e(side("b", (i) => spread(i) / 2))).not.toHaveProperty("tail")
    expect(e2e(side("b", (i) => spread(i) * 1.01))).not.toHaveProperty("tail")
    const few = (entry: ScoredVariant) => variant(entry.name, entry.answers.slice(0, 99))
    const slow = side("b", (i) => (i < 5 ? 900 : spread(i) / 2))
    expect(changesOf(few(before), few(slow), options)[0]).not.toHaveProperty("tail")
  })
})
