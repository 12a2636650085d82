import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { panel } from "../../judges/panel.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import type { JudgeCardData } from "../../src/core/report/report-sections.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { openai } from "../../src/providers/openai.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { type Fault, type FaultServer, startFaultServer } from "../support/fault-server.ts"
import { schemaErrors } from "../support/report-schema.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { judgedRun } from "./judged-run.ts"
import { fakeJudge, says } from "./support.ts"

const directory = scratchDirectory()
/** A server each: judges behind one address share its circuit breaker. */
const faults = ["notJsonAnswer", "refusal", "emptyAnswer", "rateLimited", "hangBeforeHeaders", "cut"] as const
const servers = new Map<Fault, FaultServer>()
beforeAll(async () => {
  for (const fault of [...faults, "serverError", "reset"] as const) servers.set(fault, await startFaultServer())
})
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())))

const rows = ["a", "b", "c"].map((id) => ({ id, input: `say ${id}`, reference: id }))
const candidate = () => fakeProvider("candidate", () => fakeAnswer("a"))
const broken = (fault: Fault) =>
  rubric({
    provider: openai({ model: fault, baseUrl: servers.get(fault)!.url(fault) }),
    rubric: correctness,
    judge: fault,
  })
const sound = (name: string) =>
  rubric({ provider: fakeJudge(() => says("yes"), name), rubric: correctness, judge: name })
const timeouts = { connectMs: 500, firstTokenMs: 300, gapMs: 300, totalMs: 600 }

describe("a panel over HTTP with faults", () => {
  it("scores by the judges that work, and names for each other what went wrong", async () => {
    const store = openRunStore(`${directory}/faults`)
    const judges = [...faults.map(broken), ...["j1", "j2", "j3", "j4", "j5", "j6", "j7"].map(sound)]
    const { report, status } = await judgedRun({
      store,
      cacheDirectory: directory,
      variants: { one: candidate() },
      metric: panel(judges, { name: "judged" }),
      rows,
      timeouts,
    })
    expect(status).toBe("finished")
    expect(report.variants[0]?.quality.find(({ metric }) => metric === "judged")).toMatchObject({
      scored: 3,
      figure: { status: "known", value: 1 },
    })
    const [row] = store.rows(report.run.id, "one", "judged")
    const members = (row!.measured as { row: PanelRow }).row.members
    expect(
      Object.fromEntries(members.slice(0, faults.length).map(({ judge, reason }) => [judge, reason?.split(": ")[0]])),
    ).toEqual({
      notJsonAnswer: "judge_unparseable",
      refusal: "judge_refused",
      emptyAnswer: "judge_unparseable",
      rateLimited: "judge_failed",
      hangBeforeHeaders: "judge_failed",
      cut: "judge_failed",
    })
    expect(members.filter(({ score }) => score === 0)).toEqual([])
    const card = report.sections.find(({ kind }) => kind === "judge_card")
    const { judges: cards } = card!.data as unknown as JudgeCardData
    expect(cards.find(({ judge }) => judge === "refusal")?.figures.unscored).toMatchObject({ value: 1, n: 3 })
    store.close()
  }, 30_000)

  it("leaves answers unscored when more than half of the panel fails, and still shows its card", async () => {
    const store = openRunStore(`${directory}/down`)
    const { report, status } = await judgedRun({
      store,
      cacheDirectory: directory,
      variants: { one: candidate() },
      metric: panel([broken("serverError"), broken("reset"), sound("j1")], { name: "judged" }),
      rows,
      timeouts,
    })
    expect(status).toBe("finished")
    const figure = report.variants[0]?.quality.find(({ metric }) => metric === "judged")
    expect(figure).toMatchObject({
      scored: 0,
      figure: { status: "unknown" },
      unscored: { "panel_quorum: 1 of 3 judges gave a score (the judge's endpoint gave no answer)": 3 },
    })
    expect(schemaErrors(report)).toEqual([])
    const card = report.sections.find(({ kind }) => kind === "judge_card")
    expect(card?.sentences.join(" ")).toContain("serverError gave no verdict on 100 % of 3 answers")
    store.close()
  }, 30_000)

  it("answers a re-scored run from the cache", async () => {
    const store = openRunStore(`${directory}/cache`)
    const provider = fakeJudge(() => says("yes"), "cached")
    const run = () =>
      judgedRun({
        store,
        cacheDirectory: directory,
        variants: { one: candidate() },
        metric: rubric({ provider, rubric: correctness, repeats: 2 }),
        rows,
      })
    await run()
    // Every candidate answer is "a": three references make three requests, each twice.
    expect(provider.requests).toHaveLength(6)
    const { report } = await run()
    expect(provider.requests).toHaveLength(6)
    expect(report.variants[0]?.cost.judgeUsd).toMatchObject({ status: "known", value: 0 })
    store.close()
  }, 30_000)
})
