import { describe, expect, it } from "vitest"
import { renderAnnotations } from "../../../reports/export/annotations.ts"
import { markdownText, renderMarkdown } from "../../../reports/export/markdown.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { commandText } from "../../../reports/wording/advised-command.ts"
import { failureReasons, reasonLine } from "../../../reports/wording/failure-reasons.ts"
import { statusWords, wholeFailure } from "../../../reports/wording/whole-failure.ts"
import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { pageOf } from "../../support/page.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 40 })
const of = (
  change: (variant: VariantReport) => Partial<VariantReport>,
  run: Partial<RunReport["run"]> = {},
): RunReport => ({
  ...report,
  run: { ...report.run, ...run },
  variants: report.variants.map((variant) => ({ ...variant, ...change(variant) })),
})
const message = "HTTP 401: Incorrect API key provided."
const refused = of(() => ({ outcomes: { http_4xx: 40 }, failures: [{ outcome: "http_4xx", message, count: 40 }] }))
const broken = of(() => ({ finished: 0, outcomes: {}, failure: "its server did not start" }))
const unscored = of(({ quality }) => ({
  quality: quality.map((figure) => ({ ...figure, scored: 0, unscored: { "no reference to compare with": 40 } })),
}))
const judged: RunReport = {
  ...unscored,
  metrics: unscored.metrics.map((metric) => ({ ...metric, signature: "judge:rubric|rubric:x" })),
}
const spent: RunReport = {
  ...of(({ planned }) => ({ planned: 2 * planned }), {
    status: "incomplete",
    endedBecause: "240 of 480 calls have no answer: the budget of $0.50 is spent",
  }),
  decision: { ...report.decision!, verdict: "inconclusive" },
}

describe("a run that failed as a whole", () => {
  it("is asked again by the tool that asked, where it was imported", () => {
    const imported = { ...refused, run: { ...refused.run, config: { importedFrom: "a.json", tool: "promptfoo" } } }
    expect(wholeFailure(imported)?.advice).toEqual([
      { words: "Cure the cause that is named first, ask again with promptfoo, and import its new log." },
    ])
  })

  it("says once what all variants failed of", () => {
    const names = report.variants.map(({ name }) => name).join(", ")
    expect(wholeFailure(broken)?.reasons).toEqual([`${names}: its server did not start`])
  })

  it.each([
    ["every call refused", refused, "nothing_answered", "The service refused every call: 240 of 240."],
    ["no call made", broken, "nothing_asked", "No call was made: there is nothing to compare."],
    ["no answer scored", unscored, "nothing_scored", "No answer could be scored: exact match has no score at all."],
    [
      "a judge that gave no verdict",
      judged,
      "nothing_scored",
      "The judge gave no verdict: exact match has no score of any answer.",
    ],
    [
      "a budget that was spent before it could decide",
      spent,
      "undecided",
      "The run ended before it could decide: 240 of 480 answers are there.",
    ],
  ] as const)(
    "says so for %s, in the terminal, on the page and in what a pull request shows",
    async (_, failed, kind, title) => {
      expect(wholeFailure(failed)).toMatchObject({ kind, title })
      const terminal = renderTerminal(failed, { columns: 100, color: false, unicode: true }).replace(/\s+/g, " ")
      expect(terminal).toContain(`NO ANSWER ${title}`)
      const html = await pageOf({ report: failed, async *samples() {} })
      expect(html).toContain(`data-failure="${kind}"`)
      expect(html).toContain("<title>tiny-tasks \u00b7 NO ANSWER \u00b7 evalkit</title>")
      // The label opens its explanation, as those of verdicts do.
      expect(/<a class="explained" href="#word-no-answer"[^>]*>NO ANSWER<\/a>/.test(html)).toBe(true)
      expect(/<div id="word-no-answer">.*?neither for nor against a variant/.test(html)).toBe(true)
      if (kind === "nothing_answered") expect(html).not.toMatch(/class="status">\s*finished/)
      expect(html.includes('id="frontier"')).toBe(wholeFailure(failed)?.hasFigures)
      expect(schemaErrors(failed)).toEqual([])
      const markdown = renderMarkdown(failed)
      expect(markdown.startsWith(`## NO ANSWER: ${markdownText(title)}\n`)).toBe(true)
      expect(markdown).toContain(`- ${markdownText(wholeFailure(failed)?.reasons[0] ?? "", 600)}`)
      const notices = renderAnnotations(failed)
      expect(notices).toContain(`::notice title=evalkit%3A NO ANSWER::${title}`)
      expect(notices).not.toMatch(/INVALID|INCONCLUSIVE/)
    },
  )

  it("advises to ask what was not sent, too, where the run stopped", () => {
    const stopped = of(({ planned }) => ({ outcomes: { http_4xx: 40 }, planned: 2 * planned }))
    const last = (failed: RunReport) => wholeFailure(failed)?.advice.at(-1)?.words
    expect(last(stopped)).toBe("Then ask what failed again, and what was not sent:")
    expect(last(refused)).toBe("Then ask again only what failed:")
  })

  it("is not called finished without a word more", () => {
    expect([report, refused, unscored, spent].map(statusWords)).toEqual([
      "finished",
      "ended without an answer",
      "finished, nothing scored",
      "incomplete",
    ])
  })

  it("says what to do next with the command of this run", async () => {
    const { id } = report.run
    const commands = (failed: RunReport) =>
      wholeFailure(failed)?.advice.flatMap(({ command }) => (command ? commandText(command) : []))
    expect(commands(refused)).toEqual(["npx evalkit doctor", `npx evalkit run --resume ${id} --retry-failed`])
    expect(commands(judged)).toEqual([`npx evalkit score ${id}`])
    expect(commands(spent)).toEqual([`npx evalkit run --resume ${id}`])
    const html = await pageOf({ report: refused, async *samples() {} })
    expect(html).toContain("<span>--retry-failed</span></code>")
  })

  it("that was stopped before anything was scored says that, and how to go on, not that its metric has a fault", () => {
    const stopped = of(
      ({ planned, quality }) => ({
        planned: 5 * planned,
        quality: quality.map((figure) => ({ ...figure, scored: 0, unscored: {} })),
      }),
      { status: "interrupted", endedBecause: "interrupted; continue with --resume" },
    )
    const undecided = { ...stopped, decision: { ...report.decision!, verdict: "not_comparable" as const } }
    expect(wholeFailure(undecided)).toMatchObject({
      kind: "undecided",
      title: "The run ended before it could decide: 240 of 1,200 answers are there.",
      advice: [{ command: { name: "run", words: ["--resume", report.run.id] } }],
    })
  })

  it("of a judge that was dead from the first call has the words of its service first, and goes on with the calls that are left", async () => {
    const because =
      "38 of 40 calls have no answer: the first call to every judge or encoder failed: HTTP 401: no such key"
    const dead: RunReport = {
      ...judged,
      run: { ...judged.run, status: "incomplete", endedBecause: because },
      variants: judged.variants.map((variant) => ({
        ...variant,
        quality: variant.quality.map((figure) => ({ ...figure, unscored: { "judge_failed: http_4xx": 1 } })),
      })),
    }
    expect(wholeFailure(dead)).toMatchObject({
      kind: "nothing_scored",
      reasons: [because, "6 answers: exact match: the judge's endpoint gave no answer: refused by the service"],
      advice: [{ command: { name: "run", words: ["--resume", report.run.id] } }],
    })
    expect(await pageOf({ report: dead, async *samples() {} })).toContain("HTTP 401: no such key")
  })

  it("because its budget allowed no call is told to allow more, not to look for a fault", () => {
    const because = "80 of 80 calls have no answer: the budget of $0.0001 is spent"
    const unasked = of(() => ({ finished: 0, outcomes: {} }), { status: "incomplete", endedBecause: because })
    expect(wholeFailure(unasked)).toMatchObject({ kind: "nothing_asked", reasons: [because] })
    expect(wholeFailure(unasked)?.advice).toEqual([
      {
        words: "Cure the cause or allow more, then go on with this run:",
        command: { name: "run", words: ["--resume", report.run.id] },
      },
    ])
    const silent = of(() => ({ finished: 0, outcomes: {}, failure: "the key is not set" }), {
      status: "incomplete",
      endedBecause: "80 of 80 calls have no answer: the key is not set",
    })
    expect(wholeFailure(silent)?.reasons).toHaveLength(1)
  })

  it("has commands in one piece on a narrow screen, as they work where the reader stands", () => {
    const text = renderTerminal(
      refused,
      { columns: 60, color: false, unicode: true },
      { place: ({ name, words }) => ["npx evalkit", name, "../evals/swap.ts", ...words].join(" ") },
    )
    const id = report.run.id
    expect(text).toContain(`   npx evalkit run ../evals/swap.ts --resume ${id} \\\n     --retry-failed\n`)
  })

  it("repeats the service's words", () => {
    expect(wholeFailure(refused)?.reasons).toEqual([`240 of 6 variants: refused by the service: ${message}`])
    expect(wholeFailure(spent)?.reasons).toEqual(["240 of 480 calls have no answer: the budget of $0.50 is spent"])
  })

  it("is none that answered, and none whose verdict stands on the part that was asked", () => {
    expect(wholeFailure(report)).toBeNull()
    expect(wholeFailure({ ...spent, decision: report.decision })).toBeNull()
    expect(wholeFailure(of(() => ({}), { status: "running", endedBecause: "x" }))).toBeNull()
  })
})

describe("failures", () => {
  it("that said the same are one line, the most frequent first", () => {
    const some = of(({ name }) =>
      name === "m-f16" || name === "m-q8_0"
        ? {
            failures: [
              { outcome: "rate_limited", message: "HTTP 429: slow down", count: 2 },
              { outcome: "timeout_total", message: "", count: 1 },
            ],
          }
        : {},
    )
    expect(failureReasons(some).map(reasonLine)).toEqual([
      "4 of m-f16, m-q8_0: too many requests for the service: HTTP 429: slow down",
      "2 of m-f16, m-q8_0: no whole answer in time",
    ])
    const text = renderTerminal(some, { columns: 100, color: false, unicode: true })
    expect(text).toContain("   4 of m-f16, m-q8_0: too many requests for the service: HTTP 429: slow down\n")
  })
})
