import { describe, expect, it } from "vitest"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { TextFigures, VariantReport } from "../../../src/core/report/report.ts"
import type { SectionOfKind } from "../../../src/core/report/report-sections.ts"
import { tokensSection } from "../../../src/wording/sections/tokens.ts"

const figure = (value: number): Figure => ({ status: "known", value, n: 9, method: "a test" })

function variant(name: string, tokensPerSecond: Figure, charactersPerSecond: Figure, characters = figure(800)) {
  const none = unknown("not here")
  const text: TextFigures = {
    tokensPerAnswer: figure(200),
    o200kPerAnswer: figure(190),
    charactersPerAnswer: characters,
    o200kPerSecond: none,
    charactersPerSecond,
    usdPerAnswer: none,
    usdPerMillionO200k: none,
    usdPerMillionCharacters: none,
  }
  return { name, text, speed: { outputTokensPerSecond: { p50: tokensPerSecond } } as VariantReport["speed"] }
}

describe("the section on what a token is", () => {
  it("names the pair whose order turns round, and warns of it", () => {
    const section = tokensSection([
      variant("talkative", figure(100), figure(250)),
      variant("terse", figure(80), figure(320)),
      variant("slow", figure(10), figure(30)),
    ])
    expect(section?.sentences[0]).toBe(
      "talkative writes more tokens per second than terse (100 against 80 of its own) but fewer characters (250 against 320): " +
        "its tokens are shorter, and terse is faster to read.",
    )
    expect(section?.caution).toBe(section?.sentences[0])
    const { rows } = (section as SectionOfKind<"tokens">).data
    expect(rows.map(([name, own]) => [name, own])).toEqual(
      ["talkative", "terse", "slow"].map((name) => [name, figure(200)]),
    )
  })

  it("has no warning where the order is the same, or differs by less than 2 %", () => {
    const same = tokensSection([variant("a", figure(100), figure(400)), variant("b", figure(80), figure(320))])
    expect(same?.sentences[0]).toMatch(/in the same order/)
    expect(same?.caution).toBeUndefined()
    const tie = tokensSection([variant("a", figure(100), figure(399)), variant("b", figure(99), figure(400))])
    expect(tie?.caution).toBeUndefined()
  })

  it("has no warning where chance alone may have turned the order round", () => {
    const about = (value: number, half: number): Figure => ({
      ...{ status: "known", value, n: 9, method: "a test", low: value - half, high: value + half },
    })
    const sure = [variant("a", about(700, 10), about(1860, 20)), variant("b", about(676, 10), about(2569, 20))]
    expect(tokensSection(sure)?.caution).toContain(
      "(700 against 676 of its own) but fewer characters (1,860 against 2,569)",
    )
    for (const [own, read] of [
      [140, 20],
      [10, 800],
    ] as const) {
      const pair = [variant("a", about(700, own), about(1860, read)), variant("b", about(676, own), about(2569, read))]
      expect(tokensSection(pair)?.caution).toBeUndefined()
      expect(tokensSection(pair)?.sentences[0]).toMatch(/in the same order, as far as their intervals tell/)
    }
  })

  it("says what is unknown, and is left out where nothing was written", () => {
    const none = unknown("nothing was timed")
    expect(tokensSection([variant("a", none, none)])?.sentences[0]).toMatch(/unknown/)
    expect(tokensSection([variant("a", figure(1), figure(4))])?.sentences[0]).toMatch(/a is the only variant/)
    expect(tokensSection([variant("a", none, none, none)])).toBeNull()
    expect(tokensSection([])).toBeNull()
  })
})
