import { describe, expect, it } from "vitest"
import { renderBriefing } from "../../../reports/export/briefing.ts"
import { briefing } from "../../../reports/wording/briefing.ts"
import { monthlyDifference } from "../../../reports/wording/cost-model.ts"
import { unchecked } from "../../../reports/wording/unchecked.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const changed = (over: Partial<RunReport>): RunReport => ({ ...report, ...over })
const withRun = (over: Partial<RunReport["run"]>) => changed({ run: { ...report.run, ...over } })

describe("what was not checked", () => {
  it("is empty where nothing is compared", () => {
    expect(unchecked(changed({ comparisons: [] }))).toEqual([])
  })

  it.each<[string, RunReport, RegExp]>([
    ["one answer a question", withRun({ repeats: 1 }), /^how much an answer varies: each question was asked once$/],
    [
      "other loads and hours",
      { ...withRun({ config: { concurrency: 4 } }), sections: [] },
      /^another load than 4 requests in flight, or another hour/,
    ],
    [
      "a judge without labels",
      changed({
        sections: [
          {
            ...{ kind: "judge_card", title: "The judge behind tone", sentences: [] },
            data: { judges: [{ judge: "j", figures: {} }] },
          },
        ],
      }),
      /^whether people agree with the judge behind tone: no answer has a label of theirs$/,
    ],
    [
      "a metric without a score",
      changed({
        variants: report.variants.map((variant) => ({
          ...variant,
          quality: variant.quality.map((figure) => ({ ...figure, scored: 0 })),
        })),
      }),
      /: no answer has a score$/,
    ],
    [
      "languages that a metric does not measure",
      changed({
        variants: report.variants.map((variant) => ({
          ...variant,
          quality: variant.quality.map((own) => ({ ...own, scored: 50, total: 60, unscoredCodes: { language: 10 } })),
        })),
      }),
      / of \d+ of \d+ answers: it does not measure their language$/,
    ],
    [
      "prices of long ago",
      changed({
        variants: report.variants.map((variant) => ({
          ...variant,
          cost: {
            ...variant.cost,
            price: { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, source: "s", date: "2020-01-01" },
          },
        })),
      }),
      /^whether prices are still those of .*\(2020-01-01\)/,
    ],
    ["where the questions come from", report, /^whether these questions are like your traffic$/],
  ])("names %s", (_, input, expected) => {
    expect(unchecked(input)).toContainEqual(expect.stringMatching(expected))
  })

  it("names no repeats and no load where they were tried", () => {
    const tried = {
      ...withRun({ repeats: 3 }),
      sections: [{ kind: "levels", title: "", sentences: [], data: {} }] as never,
    }
    expect(unchecked(tried).filter((text) => /varies|another load/.test(text))).toEqual([])
  })
})

describe("which questions", () => {
  it("are those of the answer's candidate, and of none whose name begins alike", () => {
    const about = report.decision?.about ?? ""
    const longer = `${about}-long`
    const change = {
      candidate: longer,
      figure: report.metrics[0]!.name,
      before: 1,
      after: 0,
      rest: 0,
      p: 0,
      pAdjusted: 0,
    }
    const difference = { status: "known", value: -1, low: -1, high: -1, n: 9, method: "" } as const
    const slices = [
      { slice: "x", samples: 9, levels: [], changes: [{ ...change, difference, moved: "worse" as const }] },
    ]
    const figures = [{ name: report.metrics[0]!.name, unit: "share", direction: "higher" as const }]
    const small = { slices: 0, samples: 0, pooled: false }
    const data = { baseline: "b", figures, axes: [{ axis: "a", title: "a", note: null, slices, small }], leftOut: [] }
    const section = { kind: "slices", title: "", sentences: [`${longer} is worse than b on a x.`], data }
    const parts = briefing(changed({ sections: [section] as never }), 1)
    expect(parts.map(({ id }) => id)).not.toContain("slices")
  })
})

describe("dollars a month", () => {
  const figure = (value: number, low?: number, high?: number) => ({
    ...{ status: "known" as const, value, n: 100, method: "mean" },
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
  })
  const side = (value: number) => ({ ...report.variants[0], cost: { perQueryUsd: figure(value) } }) as never
  const difference = (low: number, high: number) =>
    monthlyDifference({ performance: { costUsd: figure(-0.002, low, high) } }, [side(0.005), side(0.003)], 1000)
      .difference

  it("have the interval of the paired difference", () => {
    expect(difference(-0.003, -0.001)).toMatchObject({ value: -2, low: -3, high: -1 })
  })
  it("have none where it does not hold the difference of the bills", () => {
    expect(difference(-0.001, -0.0005)).not.toHaveProperty("low")
  })
})

describe("the report for the one who decides", () => {
  const text = renderBriefing(report)
  it("answers what they ask, in this order", () => {
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title)
    expect(headings[0]).toMatch(/^(SWAP|KEEP|INCONCLUSIVE): /)
    const expected = ["What else changes", "Which questions", "A month", "How sure", "Not checked"]
    expect(headings.slice(1)).toEqual(expected.filter((title) => headings.includes(title)))
    expect(headings).toEqual(expect.arrayContaining(["A month", "How sure", "Not checked"]))
  })
  it("is the whole report of a run that failed as a whole", () => {
    const silent = changed({
      variants: report.variants.map((variant) => ({ ...variant, outcomes: { http_4xx: variant.finished } })),
    })
    expect(renderBriefing(silent)).toMatch(/^## NO ANSWER: /)
  })

  it("says of a month what it costs, or why that is unknown", () => {
    const [money] = briefing(report, 5000).filter(({ id }) => id === "money")
    expect(money?.sentences[0]).toMatch(/^5,000 requests a month: (\$[\d.,]+ before, \$[\d.,]+ after, |unknown)/)
  })
  it("says of a bill by the hour that it is of whole months, whatever is used", () => {
    const hourly = changed({
      variants: report.variants.map((variant) => ({
        ...variant,
        cost: {
          ...variant.cost,
          price: {
            kind: "hourly",
            usdPerHour: 1,
            instances: 1,
            utilisation: 0.5,
            source: "config",
            date: "2026-11-01",
          } as const,
        },
      })),
    })
    const [money] = briefing(hourly, 5000).filter(({ id }) => id === "money")
    expect(money?.sentences).toEqual([
      "5,000 requests a month: $730.50 before, $730.50 after, the same.",
      expect.stringMatching(/^Of .+ and .+: 1 × the hardware, whole months, at 50 % utilisation and /),
    ])
  })
})
