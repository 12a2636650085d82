import { describe, expect, it } from "vitest"
import { changeOf } from "../../reports/view/change.ts"
import { type ComparedSide, comparePage } from "../../reports/view/compare-page.ts"
import { labelPage, labelStartPage } from "../../reports/view/label-page.ts"
import type { ListedRun } from "../../reports/view/listed-run.ts"
import { type LiveVariant, livePage } from "../../reports/view/live-page.ts"
import { errorPage, firstVisit, refusedPage } from "../../reports/view/plain-pages.ts"
import { runsPage } from "../../reports/view/runs-page.ts"
import { digestOf, factsOf } from "../../src/cli/view/run-digest.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { hostileTexts } from "../support/hostile-texts.ts"
import { poisoned } from "../support/poison.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const assets = { style: "x{}", script: "0" }

function recordOf({ run, dataset, metrics, variants }: RunReport): RunRecord {
  const rest = { margin: 0.01, alpha: 0.05, baseline: null, configPath: null, plan: "" }
  return { ...run, ...rest, dataset, metrics, variants: variants.map((variant) => ({ ...variant, priceSource: null })) }
}

function point(value: number, half: number): Figure {
  return { status: "known", value, low: value - half, high: value + half, n: 100, method: "mean" }
}

const live: Omit<LiveVariant, "name"> = {
  finished: 3,
  planned: 60,
  read: 3,
  failure: null,
  failed: 1,
  e2eMs: point(12, 2),
  totalUsd: point(0.4, 0.1),
  quality: { status: "unknown", reason: "scored after the last answer" },
}

function liveOf(record: RunRecord, variants: readonly LiveVariant[], payload = "x") {
  const facts = { record, started: payload, elapsedMs: 1000, hasReport: true }
  const answer = { variant: payload, sampleId: payload, text: payload, failure: payload, e2eMs: 1, costUsd: 1 } as const
  return livePage(
    facts,
    {
      finished: 3,
      planned: 60,
      perSecond: 2,
      remainingMs: 3000,
      variants,
      failures: [{ outcome: "http_4xx", message: payload, count: 2, variants: [payload] }],
      latest: [
        { ...answer, outcome: "ok" },
        { ...answer, outcome: "http_4xx", text: "" },
      ],
    },
    assets,
  )
}

describe("two runs that have little in common", () => {
  const other: RunReport = {
    ...report,
    metrics: report.metrics.map((metric) => (metric.primary ? { ...metric, name: "solved" } : metric)),
    variants: report.variants.map((variant) => ({
      ...variant,
      quality: variant.quality.map((own) => (own.metric === "exact_match" ? { ...own, metric: "solved" } : own)),
    })),
  }
  const side = (of: RunReport): ComparedSide => ({
    record: recordOf(of),
    variant: of.variants[0]!.name,
    report: of,
    started: "today",
  })
  const page = (differences: number, rows: readonly (readonly string[])[] = []) =>
    comparePage(
      {
        a: side(report),
        b: side(other),
        comparison: { found: report.comparisons[0]!, table: { header: ["metric", "verdict"], rows }, notes: [] },
        refused: "",
        differences: Array.from({ length: differences }, (_, i) => ({
          about: "setting",
          of: null,
          keys: [`key${i}`],
          before: "1",
          after: "2",
        })),
      },
      assets,
    ).html

  it("show the metrics of both, no table without a row, and a long list of differences folded", () => {
    const text = page(13)
    expect(text).toMatch(/exact match<\/th><td>[\d.]+ [^<]*<\/td><td><span class="unknown">not measured/)
    expect(text).toMatch(/solved<\/th><td><span class="unknown">not measured<\/span><\/td><td>[\d.]+ /)
    expect(text).not.toContain("paired by sample")
    expect(page(1, [["solved", "SWAP"]])).toContain("paired by sample")
    expect(text).toContain("<details><summary>13 differences</summary>")
    expect(page(12)).not.toContain("<details>")
    expect(text).toMatch(/memory<\/th><td>[^<]+<\/td><td>[^<]+<\/td>/)
  })
})

describe("the list of runs", () => {
  it("says of a run that failed as a whole what its page says, not the verdict of its figures", () => {
    const listed = (of: RunReport) =>
      runsPage(
        {
          runs: [
            {
              ...{
                facts: factsOf(recordOf(of)),
                state: "failed",
                stateWords: "failed",
                finished: null,
                started: "today",
              },
              ...{ tags: [], lastNote: null, headline: null, digest: digestOf(of), before: null },
            },
          ],
          ...{ filter: { search: "", tags: [], state: "", page: 1 }, found: 1, total: 1, pages: 1, tags: [] },
          isAnyRunning: false,
        },
        assets,
      ).html
    expect(listed(report)).toMatch(/<span class="verdict swap" [^>]*>SWAP<\/span>/)
    const outcomes = { http_4xx: 60 }
    const refused = { ...report, variants: report.variants.map((variant) => ({ ...variant, outcomes })) }
    expect(listed(refused)).toMatch(
      /<span class="verdict invalid" title="[^"]*neither for nor against[^"]*">NO ANSWER</,
    )
    const run = { ...report.run, status: "incomplete", endedBecause: "the budget is spent" } as const
    const decision = { ...report.decision!, verdict: "inconclusive" as const }
    expect(listed({ ...report, run, decision })).toMatch(/>NO ANSWER<(?!.*>INCONCLUSIVE<)/)
  })
})

describe("the pages around the reports", () => {
  it("hold no element that a text brought", () => {
    const allowed =
      /<\/?(?:!doctype html|html|head|meta|link|title|style|body|header|main|nav|section|h1|h2|p|a|q|small|strong|code|kbd|div|dl|dt|dd|ol|ul|li|del|ins|table|thead|tbody|tr|th|td|span|br|form|label|input|select|option|button|progress|pre|script type="module">0|\/script)\b/g
    for (const payload of hostileTexts) {
      const hostile = poisoned(report, payload)
      const record = recordOf(hostile)
      const run: ListedRun = {
        facts: factsOf(record),
        state: "failed",
        stateWords: payload,
        finished: 3,
        started: payload,
        tags: [payload],
        lastNote: payload,
        headline: null,
        digest: { ...digestOf(hostile), failure: payload },
        before: digestOf(report),
      }
      const side: ComparedSide = { record, variant: record.variants[0]?.name ?? "", report: hostile, started: payload }
      const person = { labeller: payload, score: payload, policy: payload }
      const { agreement, kappa, alpha } = { agreement: point(0.5, 0.1), kappa: point(0.5, 0.1), alpha: point(0.5, 0.1) }
      const start = {
        record,
        metric: payload,
        metrics: [payload],
        answers: 3,
        labelled: 2,
        readOnly: false,
        formToken: "f",
      }
      const people = {
        labellers: [{ labeller: payload, labels: 2 }],
        labelled: 2,
        several: 1,
        disputed: 1,
        agreement,
        alpha,
      }
      const pages = [
        runsPage(
          {
            runs: [run, { ...run, state: "running", digest: null }],
            filter: { search: payload, tags: [payload], state: "", page: 1 },
            found: 2,
            total: 3,
            pages: 2,
            tags: [[payload, 2]],
            isAnyRunning: true,
          },
          assets,
        ),
        comparePage(
          {
            a: side,
            b: side,
            comparison: null,
            refused: payload,
            differences: [
              { about: "variant", of: payload, keys: ["parameters", payload], before: payload, after: null },
            ],
          },
          assets,
        ),
        liveOf(
          record,
          [
            { ...live, name: payload, failure: payload },
            { ...live, name: payload, e2eMs: { status: "unknown", reason: payload } },
          ],
          payload,
        ),
        labelStartPage(
          { ...start, people, pairs: [{ a: payload, b: payload, both: 2, agreement, kappa, alpha }] },
          assets,
        ),
        labelPage(
          {
            record,
            base: "/label/x/y",
            formToken: "f",
            item: {
              position: 1,
              total: 3,
              labelled: 0,
              metric: payload,
              scores: ["0", payload],
              keys: ["1", "2"],
              meanings: ["lowest", payload],
              chosen: payload,
              labeller: payload,
              policy: payload,
              question: payload,
              passages: [payload],
              references: [payload],
              answer: payload,
              others: [person],
            },
          },
          assets,
        ),
        errorPage(payload, payload, assets),
        firstVisit(payload),
        refusedPage(true, true, assets),
      ]
      for (const { html } of pages) expect(html.replace(allowed, "")).not.toMatch(/<[a-z!/]/i)
    }
  }, 60_000)

  it("show how far a run is, with the intervals of what is known so far, and no verdict", () => {
    const { html } = liveOf({ ...recordOf(report), status: "running" }, [{ ...live, name: "m-q8_0" }])
    expect(html).toContain("3 of 60")
    expect(html).toContain("12.0 ms ±2.00 ms <small>n = 100</small>")
    expect(html).toContain("scored after the last answer")
    expect(html).toContain("So far, no verdict.")
    expect(html).not.toMatch(/SWAP|KEEP|INCONCLUSIVE/)
  })

  it("say whose cost it is while answers are still read", () => {
    const record = { ...recordOf(report), status: "running" } as const
    const read = liveOf(record, [{ ...live, name: "m-q8_0" }]).html
    expect(read).toContain("<dt>cost of the answers so far</dt><dd>$0.400</dd>")
    expect(read).not.toContain("that are read")
    const behind = liveOf(record, [{ ...live, name: "m-q8_0", read: 2 }]).html
    expect(behind).toContain("<dt>cost of 2 answers that are read</dt><dd>$0.400</dd>")
    expect(behind).toContain("3 of 60<br><small>figures of 2 that are read</small>")
  })

  it("say of a run that stands still that nothing moves, and how to get its verdict", () => {
    const stopped = { ...recordOf(report), status: "stopped" as const }
    const { html } = liveOf(stopped, [{ ...live, name: "m-q8_0" }])
    expect(html).toContain("<strong>No verdict.</strong>")
    expect(html).toContain("the figures are of 3 of 60 answers")
    expect(html).not.toContain("they move")
    expect(html).toContain("evalkit run --resume")
  })

  it("show an arrow only on evidence, and which way is good", () => {
    expect(changeOf(point(0.8, 0.02), point(0.81, 0.02), { goal: "maximize" })).toEqual({
      arrow: "→",
      evident: false,
      good: null,
    })
    expect(changeOf(point(0.8, 0.02), point(0.9, 0.02), { goal: "maximize" })).toEqual({
      arrow: "↗",
      evident: true,
      good: true,
    })
    expect(changeOf(point(10, 1), point(20, 1), { goal: "minimize" })).toEqual({
      arrow: "↗",
      evident: true,
      good: false,
    })
    expect(changeOf(point(10, 1), { status: "unknown", reason: "no price" }, { goal: "minimize" })).toBeNull()
  })

  it("show no arrow for one reading of what varies, and one for what is exact", () => {
    const once = (value: number) => ({ status: "known", value, n: 1, method: "highest sample" }) as const
    const memory = { goal: "minimize" } as const
    expect(changeOf(once(115e6), once(116e6), memory)).toBeNull()
    expect(changeOf(point(10, 1), once(20), memory)).toBeNull()
    expect(changeOf(once(115e6), once(116e6), { ...memory, isExact: true })).toMatchObject({ arrow: "↗", good: false })
    const openUp = { ...once(10), low: 9, high: null }
    expect(changeOf(openUp, point(20, 1), memory)).toMatchObject({ evident: false })
    expect(changeOf(openUp, point(5, 1), memory)).toMatchObject({ arrow: "↘", good: true })
  })
})
