import { describe, expect, it } from "vitest"
import { createAnswerLengths } from "../../../src/perf/answer-lengths.ts"
import { answerLengthsSection } from "../../../src/wording/sections/serving/answer-lengths.ts"
import type { ServedVariant } from "../../../src/wording/sections/serving/served-variant.ts"
import { scoredVariant } from "../../support/scored.ts"

/** A variant whose answers have these tokens and took these times. */
function served(
  name: string,
  tokens: (i: number) => number,
  e2eMs: (i: number) => number,
  text: (i: number) => string = (i) => `${name} ${i}`,
): ServedVariant {
  const lengths = createAnswerLengths(false)
  const stated = Array.from({ length: 40 }, (_, i) => ({
    value: 1,
    facts: { completionTokens: tokens(i), e2eMs: e2eMs(i), tpotMs: e2eMs(i) / tokens(i), textHash: text(i) },
  }))
  for (const { facts } of stated)
    lengths.add({ outcome: "ok", completionTokens: facts.completionTokens, askedTokens: null })
  return {
    report: { name, baseline: name === "base" },
    scored: scoredVariant(name, "exactMatch", stated),
    serving: { lengths: lengths.figures() },
    resources: null,
  } as unknown as ServedVariant
}

describe("the section on the lengths of answers", () => {
  it("says of the same texts with other counts that the counts differ, not the answers", () => {
    const text = (i: number) => `text ${i}`
    const time = () => 100
    const base = served("base", () => 16, time, text)
    const caution = (of: (i: number) => string) =>
      answerLengthsSection([base, served("dear", () => 21, time, of)], 0.05)?.caution
    expect(caution(text)).toMatch(
      /^40 of 40 pairs of answers have the same text, for which dear counts 21 tokens on average and base 16 \(\+31\.3 %\): their counts/,
    )
    expect(caution((i) => `other ${i}`)).toMatch(/^Answers of dear have/)
  })

  it("names a limit of the host's own, where answers end at one round length below the limit that was sent", () => {
    const sentences = (outcome: string, tokens: (i: number) => number, isEndUnstated = false) => {
      const lengths = createAnswerLengths(false)
      for (let i = 0; i < 40; i++)
        lengths.add({ outcome: i % 4 ? "ok" : outcome, completionTokens: tokens(i), askedTokens: 1024, isEndUnstated })
      const variant = { ...served("host", tokens, () => 100), serving: { lengths: lengths.figures() } }
      return answerLengthsSection([variant as unknown as ServedVariant], 0.05)?.sentences ?? []
    }
    const atLimit = (limit: number) => (i: number) => (i % 4 ? 30 + i : limit)
    const limited =
      "host: 10 of 40 answers end at exactly 256 tokens, where 1,024 were allowed: the host may have a limit of its own."
    expect(sentences("length", atLimit(256)).slice(0, 2)).toEqual([
      limited,
      "host: 10 of 40 answers were cut off at a token limit; their times are those of what came.",
    ])
    expect(sentences("ok", atLimit(256), true)[0]).toBe(limited)
    expect(sentences("length", atLimit(300))[0]).toMatch(/exactly 300 tokens/)
    expect(sentences("ok", atLimit(256))).toEqual([])
    for (const tokens of [atLimit(1024), atLimit(257), (i: number) => (i % 16 ? 30 + i : 256)])
      expect(sentences("length", tokens)[0]).toMatch(/were cut off at their token limit/)
  })

  it("states no change of time that chance alone may have made as if it were one", () => {
    const base = served(
      "base",
      () => 20,
      () => 100,
    )
    // Half as long and half the time; the few of like length now slower, now faster.
    const brief = served(
      "brief",
      (i) => (i % 4 ? 10 : 20),
      (i) => (i % 4 ? 50 : i % 8 ? 140 : 62),
    )
    expect(answerLengthsSection([base, brief], 0.05)?.caution).toMatch(
      /The median change of time is \u221250 % over all, [+\u2212][\d.]+ % \(not proven\) on 10 answers of like length, and 0 % \(not proven\) per token\.$/,
    )
  })
})

it("give the same figures in whatever order answers come, where it is known in which they were due", () => {
  const answers = Array.from({ length: 200 }, (_, order) => ({
    ...{ outcome: "ok", completionTokens: 10 + (order % 50), askedTokens: null, order },
  }))
  const figuresOf = (list: typeof answers) => {
    const lengths = createAnswerLengths(false)
    for (const answer of list) lengths.add(answer)
    return lengths.figures()
  }
  const shuffled = answers.toSorted((a, b) => ((a.order * 7) % 200) - ((b.order * 7) % 200))
  expect(figuresOf(shuffled)).toEqual(figuresOf(answers))
  expect(figuresOf(shuffled.map(({ order: _, ...answer }) => answer as (typeof answers)[number]))).not.toEqual(
    figuresOf(answers),
  )
})
