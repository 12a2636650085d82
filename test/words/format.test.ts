import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { KnownFigure } from "../../src/core/report/figure.ts"
import { timingErrorWords } from "../../src/wording/verdict/timing-error.ts"
import { signed as sentenceDifference, wordingOf } from "../../src/words/difference.ts"
import { countedRate, extremeRate, figureCell, figureText } from "../../src/words/figure.ts"
import { metricDifference, metricTitle, metricUnit, readableName } from "../../src/words/metric.ts"
import { count, counted, fixed, significant, withSign } from "../../src/words/number.ts"
import { pNumber, pValue as sentencePValue } from "../../src/words/p-value.ts"
import { percent } from "../../src/words/percent.ts"
import { clientErrorMessage } from "../../src/words/perf/client-error.ts"
import { driftMessages } from "../../src/words/perf/speed.ts"
import { bytes, duration, milliseconds, quantity, quantityPair, usd } from "../../src/words/quantity.ts"
import { costMethods } from "../../src/words/reasons/cost.ts"
import { asciiText, plainLines, plainText } from "../../src/words/text.ts"

describe("sentences with numbers", () => {
  it.each([
    [
      "a slow machine's drift",
      () => driftMessages.medians(14_234, 5810, "half"),
      "14.2 s in the first half, 5.81 s in",
    ],
    [
      "a fast machine's throughput",
      () => costMethods.atThroughput(12_340, 128, false),
      "12,340 output tokens per second, with 128 in",
    ],
    ["a difference within the error", () => timingErrorWords("within", -1234), "1,234 ms"],
    [
      "the client's error",
      () => clientErrorMessage({ ttftMs: 123, itlMs: 0.05, busyShare: 0, marked: 0, undecided: [] }),
      "123 ms",
    ],
  ] as const)("have no exponents: %s", (_, sentence, text) => {
    expect(sentence()).toContain(text)
  })
})

describe("numbers", () => {
  it.each([
    [0, "0"],
    [0.84567, "0.846"],
    [0.9996, "1.00"],
    [1.42, "1.42"],
    [12.349, "12.3"],
    [99.96, "100"],
    [123.4, "123"],
    [3068.2, "3,068"],
    [1234567, "1,234,567"],
    [-0.0123, "−0.0123"],
    [0.000012, "0.0000120"],
    [0.000000012, "1.2e−8"],
    [Number.NaN, "unknown"],
  ])("writes %d with three significant digits as %s", (value, text) => {
    expect(significant(value)).toBe(text)
  })

  it("keeps three significant digits of every magnitude between 0.0000001 and 100", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-7, max: 99.9, noNaN: true }), (value) => {
        expect(Math.abs(Number(significant(value)) / value - 1)).toBeLessThan(0.00501)
      }),
    )
  })

  it("groups thousands, signs differences and never shows a minus in front of zero", () => {
    expect(count(5400)).toBe("5,400")
    expect(fixed(-12345.678, 1)).toBe("−12,345.7")
    expect(fixed(-0.0001, 1)).toBe("0.0")
    expect(withSign("0.7")).toBe("+0.7")
    expect(withSign("0.0")).toBe("0.0")
    expect(counted(1, "sample")).toBe("1 sample")
    expect(counted(1200, "sample")).toBe("1,200 samples")
  })
})

describe("quantities", () => {
  it("scales times, bytes and money to the unit that reads best", () => {
    expect(milliseconds(0.9)).toBe("0.900 ms")
    expect(milliseconds(999.7)).toBe("1.00 s")
    expect(milliseconds(750_000)).toBe("12.5 min")
    expect(bytes(4_100_000)).toBe("4.10 MB")
    expect(bytes(999_700)).toBe("1.00 MB")
    expect(bytes(12)).toBe("12 B")
    expect(usd(0.011)).toBe("$0.0110")
    expect(usd(12.345)).toBe("$12.35")
    expect(usd(-0.5)).toBe("−$0.500")
    expect(duration(112_000)).toBe("1 m 52 s")
    expect(duration(3_720_000)).toBe("1 h 2 m")
    expect(duration(59_700)).toBe("1 m 0 s")
  })

  it("writes ratios as per cent and the unit of a pair once", () => {
    expect(percent(0.38)).toBe("38 %")
    expect(percent(0.566)).toBe("56.6 %")
    expect(percent(1)).toBe("100 %")
    expect(quantityPair(1.42, 3.1, "ms")).toBe("1.42 / 3.10 ms")
    expect(quantityPair(900, 1500, "ms")).toBe("0.900 / 1.50 s")
    expect(quantityPair(1.42, null, "ms")).toBe("1.42 / ? ms")
    expect(quantity(42, "joules")).toBe("42.0 J")
    expect([2, 2.5].map((value) => quantity(value, "tokens"))).toEqual(["2 tokens", "2.50 tokens"])
    expect([1, -1, 0, 1.5].map((value) => quantity(value, "points"))).toEqual([
      ...["1 point", "\u22121 point", "0 points", "1.5 points"],
    ])
    expect(["GB/s", "ms too", "loss", "bias"].map((unit) => quantity(1, unit))).toEqual([
      ...["1 GB/s", "1 ms too", "1 loss", "1 bias"],
    ])
    expect(quantity(0.84567, "share")).toBe("0.846")
  })
})

describe("figures", () => {
  const all: KnownFigure = { status: "known", value: 1, low: 0.566, high: 1, n: 5, method: "Wilson" }

  it("never says a hundred per cent of a small sample", () => {
    expect(figureText(all, "share")).toBe("5 of 5 (at least 57 %)")
    expect(extremeRate({ ...all, value: 0, low: 0, high: 0.0037, n: 1000 })).toBe("0 of 1,000 (at most 0.37 %)")
    expect(figureCell(all, "share")).toBe("5/5 ≥0.566")
    expect(extremeRate({ ...all, value: 0.9 })).toBeNull()
  })

  it("writes any rate as a count where another of its column is none or all", () => {
    const some: KnownFigure = { status: "known", value: 0.094, low: 0.0714, high: 0.1226, n: 500, method: "Wilson" }
    expect(countedRate(some)).toEqual(["47 of 500", "(7.14 % to 12 %)"])
    expect(countedRate({ status: "known", value: 0.25, n: 12, method: "counted" })).toEqual(["3 of 12", null])
    expect(countedRate({ ...some, value: 0.0945 })).toBeNull()
    expect(countedRate({ ...some, value: 1.2, n: 5 })).toBeNull()
  })

  it("writes intervals in words in prose and as ± in cells", () => {
    const figure: KnownFigure = { status: "known", value: 0.846, low: 0.822, high: 0.87, n: 900, method: "Wilson" }
    expect(figureText(figure, "share")).toBe("0.846 (between 0.822 and 0.870)")
    expect(figureCell(figure, "share")).toBe("0.846 ±0.024")
    expect(figureText({ ...figure, high: null }, "share")).toBe("0.846 (at least 0.822)")
  })

  it("writes the whole interval in cells where ± would reach beyond what can be", () => {
    const figure: KnownFigure = { status: "known", value: 0.002, low: 0, high: 0.147, n: 170, method: "Wilson" }
    expect(figureCell(figure, "share")).toBe("0.002 (0.000–0.147)")
    expect(figureCell({ ...figure, value: 0.981, low: 0.828, high: 1 }, "share")).toBe("0.981 (0.828–1.000)")
    // What is not bound to be above 0, and what ± tells rightly, stay as they are.
    // A score of whatever scale, too: 0.981 ±0.086 would be wrong on both sides. Not where it is as good as exact.
    expect(figureCell({ ...figure, value: 0.981, low: 0.828, high: 1 }, "score")).toBe("0.981 (0.828–1.00)")
    expect(figureCell({ ...figure, value: 1.39, low: 1.3898, high: 1.3915 }, "ms")).toBe("1.39 ms ±0.000850 ms")
    expect(figureCell({ ...figure, low: -0.05, high: 0.147 }, "share")).toBe("0.002 ±0.099")
    expect(figureCell({ ...figure, value: 0.07 }, "share")).toBe("0.070 (0.000–0.147)")
    expect(figureCell({ ...figure, value: 0.0735 }, "share")).toBe("0.073 ±0.073")
    expect(figureCell({ ...figure, value: 20, low: 0, high: 90 }, "ms")).toBe("20.0 ms (0 ms–90.0 ms)")
    const resampled: KnownFigure = { ...figure, value: 0.0726, low: 2.2e-9, high: 0.0874 }
    expect([figureCell, figureText].map((text) => text(resampled, "score"))).toEqual([
      "0.0726 (0–0.0874)",
      "0.0726 (between 0 and 0.0874)",
    ])
  })

  it("keeps the mark of what evalkit's own error could have made apart from a sign", () => {
    const about = (value: number): KnownFigure => ({ status: "known", value, n: 3, method: "x", isApproximate: true })
    expect([20, -4].map((value) => figureCell(about(value), "ms"))).toEqual(["~20.0 ms", "~ −4.00 ms"])
  })

  it("gives the reason of what is unknown", () => {
    expect(figureText({ status: "unknown", reason: "no price" }, "usd")).toBe("unknown: no price")
    expect(figureCell({ status: "unknown", reason: "no price" }, "usd")).toBe("unknown")
  })
})

describe("p-values", () => {
  it("read as the sentence has them", () => {
    for (const p of [1, 0.0162, 0.003, 0.001, 0.0000231])
      expect(`p ${pNumber(p).replace(/^(?=\d)/, "= ")}`).toBe(sentencePValue(p))
    expect(pNumber(1)).toBe("1")
  })
})

describe("metrics", () => {
  it("says every difference as the verdict's sentence says it", () => {
    const shares = [0.41, 0.1225, 0.05, 0.0125, 0.00996, 0.0003, 0.000034567, 0, 0.999, 1]
    for (const value of shares.flatMap((share) => [share, -share]))
      expect(metricDifference(value, { unit: "share", range: [0, 1] })).toBe(
        sentenceDifference(value, wordingOf({ unit: "share", range: [0, 1] })),
      )
    for (const unit of ["ms", "score", "loss"] as const)
      for (const value of [0.13, -0.13, 1, 12.34, -123.45, 1234.5, -0.0000618, 0])
        expect(metricDifference(value, { unit, range: [0, null] })).toBe(
          sentenceDifference(value, wordingOf({ unit, range: [0, Number.POSITIVE_INFINITY] })),
        )
    expect(metricDifference(-0.41, { unit: "share", range: [0, 1] })).toBe("−41 points")
    expect(metricDifference(-0.13, { unit: null, range: [0, 100] })).toBe("−0.13")
  })

  it("writes differences of rates in points and others in their own unit", () => {
    const points = (value: number) => metricDifference(value, { unit: "share", range: [0, 1] })
    expect([-0.0025, -0.002, 0.00712, 0.00996].map(points)).toEqual([
      ...["\u22120.25 points", "\u22120.2 points", "+0.71 points", "+1 point"],
    ])
    expect([0.0003, -0.00003, 0].map(points)).toEqual(["+0.03 points", "\u22120.003 points", "0 points"])
    expect(metricDifference(-0.031, { unit: "share", range: [0, 1] })).toBe("−3.1 points")
    expect(metricDifference(1.234, { unit: null, range: [0, 100] })).toBe("+1.23")
    expect(metricDifference(12.4, { unit: "ms", range: [0, null] })).toBe("+12.4 ms")
    expect(metricUnit({ unit: null, range: [0, 1] })).toBe("share")
    expect(["exactMatch", "exact_match", "rougeL", "tokenF1"].map((name) => readableName(name))).toEqual([
      "exact match",
      "exact match",
      "rougeL",
      "tokenF1",
    ])
    expect(metricTitle({ name: "groupAccuracy" })).toBe("group accuracy")
    expect(metricTitle({ name: "groupAccuracy", title: "group accuracy gap" })).toBe("group accuracy gap")
    expect(metricTitle({ name: "own", title: "\u001b[31mred\nline" })).toBe(plainText("\u001b[31mred\nline"))
  })
})

describe("foreign texts", () => {
  it("lose escape sequences, controls and tricks of direction", () => {
    expect(plainText("red\u001b[31m\nline")).toBe("red line")
    expect(plainText("\u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe("link")
    expect(plainText("a\u202eb\u0000c")).toBe("a\ufffdb\ufffdc")
    expect(plainLines("a\r\nb\u2028c")).toBe("a\nb\nc")
    expect(plainLines("\ud800x")).toBe("\ufffdx")
    expect(plainText(`Z${"\u0301".repeat(50)}`)).toBe("Z\u0301\u0301")
    expect(plainText("x".repeat(20), 5)).toBe("xxxx…")
  })

  it("hold no control character, whatever comes in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  it("become ASCII where a terminal has nothing else", () => {
    expect(asciiText("0.846 ±0.024 · −1 → ü")).toBe("0.846 +/-0.024 | -1 -> ?")
  })
})
