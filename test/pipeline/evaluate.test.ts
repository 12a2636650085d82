import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { classification } from "../../metrics/classification/classification.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { EvalkitError } from "../../src/core/errors.ts"
import type { OpenContext, Provider, ProviderSession } from "../../src/core/provider.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { Evaluation } from "../../src/core/run/evaluation.ts"
import type { RunProgress } from "../../src/core/run/progress.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import type { EvaluateOptions } from "../../src/pipeline/evaluate.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"

const ids = Array.from({ length: 40 }, (_, i) => `s${i}`)
const rows = ids.map((id) => ({ id, input: `say ${id}`, reference: id }))

async function evaluationOf(providers: Record<string, Provider>, overrides: object = {}): Promise<Evaluation> {
  return validateConfig({
    name: "test",
    dataset: inline(rows),
    variants: Object.entries(providers).map(([name, provider]) => ({ name, provider })),
    metrics: [exactMatch()],
    retry: { retries: 2, baseDelayMs: 1, maxDelayMs: 2 },
    ...overrides,
  })
}

async function run(evaluation: Evaluation, store: RunStore, overrides: Partial<EvaluateOptions> = {}) {
  return runEvaluation({ evaluation, store, ...overrides })
}

const echo = (name: string, wrongEvery = 0) =>
  fakeProvider(name, (request) => {
    const id = String(request.messages[0]?.content).replace("say ", "")
    const wrong = wrongEvery > 0 && Number(id.slice(1)) % wrongEvery === 0
    return fakeAnswer(wrong ? "wrong" : id)
  })

/** A report without what differs from run to run: ids and times. */
function timeless(report: RunReport): unknown {
  return { ...report, run: { ...report.run, id: "", startedAt: "", finishedAt: "", durationMs: 0 } }
}

describe("evaluate", () => {
  it("says when all answers are made, before any is scored", async () => {
    const store = openRunStore(scratchDirectory())
    const seen: string[] = []
    let look: Parameters<NonNullable<EvaluateOptions["onProgress"]>>[0] | undefined
    await run(await evaluationOf({ a: echo("a"), b: echo("b") }), store, {
      onProgress(progress) {
        look = progress
      },
      async whenAsked() {
        const { stage, variants } = look!()
        seen.push(`${stage} ${variants.map(({ finished }) => finished).join(" ")}`)
      },
    })
    store.close()
    expect(seen).toEqual(["generating 40 40"])
  })

  it("asks every variant every sample once, scores the answers and compares with the baseline", async () => {
    const store = scratchStore()
    const good = echo("good")
    const bad = echo("bad", 4)
    const { report, status } = await run(await evaluationOf({ good, bad }), store)
    expect(status).toBe("finished")
    expect([good.requests.length, bad.requests.length]).toEqual([40, 40])
    const quality = report.variants.map((variant) => variant.quality[0]?.figure)
    expect(quality.map((figure) => figure?.status === "known" && figure.value)).toEqual([1, 0.75])
    expect(report.comparisons[0]?.metrics[0]?.mcnemar).toMatchObject({ b: 10, c: 0 })
    expect(report.decision?.verdict).toBe("keep")
    expect([good.closed.count, bad.closed.count]).toEqual([1, 1])
  })

  it("shows once what two figures of the same labels say, and compares it with the baseline", async () => {
    const store = scratchStore()
    const labels = ["refund", "praise"]
    const label = (index: number) => labels[index % 2] as string
    const samples = ids.map((id, i) => ({ id, input: `say ${id}`, label: label(i) }))
    const named = (name: string, wrong: boolean) =>
      fakeProvider(name, ({ messages }) => {
        const index = Number(String(messages[0]?.content).replace("say s", ""))
        return fakeAnswer(`It is ${label(wrong && index % 4 === 0 ? index + 1 : index)}.`)
      })
    const { report } = await run(
      await evaluationOf(
        { worse: named("worse", true), good: named("good", false) },
        {
          dataset: inline(samples),
          baseline: "good",
          metrics: [classification({ labels }), classification({ labels, figure: "accuracy" })],
        },
      ),
      store,
    )
    const sections = report.sections.filter(({ kind }) => kind === "confusion")
    expect(sections.map(({ data }) => data)).toMatchObject([
      {
        changes: [{ variant: "worse", baseline: "good", actual: "refund", predicted: "praise", added: 10, removed: 0 }],
      },
    ])
    const { quality } = report.variants.find(({ name }) => name === "worse") as (typeof report.variants)[number]
    expect(quality.map(({ figure }) => figure.status === "known" && figure.value)).toEqual([
      expect.closeTo((2 / 3 + 0.8) / 2, 12),
      0.75,
    ])
  })

  it("retries what another attempt may recalibrate, keeps the failed attempts, and leaves unmendable failures unscored", async () => {
    const store = scratchStore()
    let calls = 0
    const flaky = fakeProvider("flaky", (request) => {
      if (request.messages[0]?.content === "say s7") return fakeAnswer("", "http_4xx")
      return ++calls % 2 === 1 ? fakeAnswer("", "http_5xx") : fakeAnswer("x")
    })
    const { report, record } = await run(await evaluationOf({ flaky }, { concurrency: 1 }), store)
    const variant = report.variants[0]
    expect(variant?.outcomes).toEqual({ ok: 39, http_4xx: 1 })
    expect(variant?.retries).toBe(39)
    expect(variant?.quality[0]).toMatchObject({
      scored: 39,
      total: 40,
      unscoredCodes: { failed: 1 },
      unscored: { "failed: http_4xx": 1 },
    })
    expect([...store.generations(record.id, "flaky")].every(({ retries }) => retries.length <= 1)).toBe(true)
  })

  it("finishes what is in flight when interrupted, and resumes without sending a finished request again", async () => {
    const store = scratchStore()
    const interrupt = new AbortController()
    let answered = 0
    const provider = fakeProvider("p", async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (++answered === 15) interrupt.abort(new Error("interrupted"))
      return fakeAnswer(String(request.messages[0]?.content).replace("say ", ""))
    })
    const evaluation = await evaluationOf({ p: provider }, { concurrency: 4 })
    const first = await run(evaluation, store, { signal: interrupt.signal })
    expect(first.status).toBe("interrupted")
    const before = [...store.finished(first.record.id)].length
    expect(before).toBe(provider.requests.length)
    expect(before).toBeLessThan(40)
    const second = await run(evaluation, store, { resume: null })
    expect(second.record.id).toBe(first.record.id)
    expect(second.status).toBe("finished")
    expect(provider.requests).toHaveLength(40)
    expect(new Set(provider.requests.map((request) => request.messages[0]?.content)).size).toBe(40)
  })

  it("says of a variant that was given up why the rest of its calls was not made, in every output", async () => {
    const store = scratchStore()
    let isDown = true
    let asked = 0
    const down = fakeProvider("down", ({ messages }) =>
      isDown && ++asked > 5
        ? fakeAnswer("", "http_5xx", { failure: { message: "HTTP 503: no worker is free" } })
        : fakeAnswer(String(messages[0]?.content).replace("say ", "")),
    )
    const evaluation = await evaluationOf({ fine: echo("fine"), down }, { concurrency: 1, retry: { retries: 0 } })
    const first = await run(evaluation, store, { clock: createFakeClock() })
    const why = "given up after 13 failures in a row: HTTP 503: no worker is free"
    expect(first.reason).toBe(`22 of 80 calls have no answer: down: ${why}`)
    expect(first.report.variants.map(({ notes }) => notes.filter((note) => note.startsWith("not asked")))).toEqual([
      [],
      [`not asked: 22 calls were not made: ${why}`],
    ])
    const summary = renderTerminal(first.report, { columns: 100, color: false, unicode: true })
    expect(summary.replace(/\s+/g, " ")).toContain(why)
    expect(renderMarkdown(first.report)).toContain(why)

    isDown = false
    const resumed = await run(evaluation, store, { resume: first.record.id })
    expect([resumed.status, resumed.report.variants[1]?.finished]).toEqual(["finished", 40])
    expect(JSON.stringify(resumed.report)).not.toContain("given up")
  })

  it("tells what the whole run has cost when it goes on, and counts what is asked again once", async () => {
    const store = scratchStore()
    let asked = 0
    const provider = fakeProvider("p", ({ messages }) =>
      ++asked % 4 === 0 && asked <= 20
        ? fakeAnswer("", "http_4xx", { log: { ...fakeAnswer("").log, events: [] } })
        : fakeAnswer(String(messages[0]?.content).replace("say ", "")),
    )
    const price = { inputPerMillion: 1_000_000, outputPerMillion: 0 }
    const evaluation = await validateConfig({
      ...{ name: "test", dataset: inline(rows), metrics: [exactMatch()], retry: { retries: 0 }, concurrency: 1 },
      variants: [{ name: "p", provider, price: { kind: "tokens", ...price, source: "a list", date: "2026-01-01" } }],
    })
    const glances: (() => RunProgress)[] = []
    const first = await run({ ...evaluation, budget: { requests: 20 } }, store)
    expect(first.status).toBe("incomplete")
    await run(evaluation, store, { resume: first.record.id, onProgress: (glance) => glances.push(glance) })
    const paid = [...store.generations(first.record.id, "p")].reduce(
      (sum, { cost }) => sum + (cost.status === "known" ? cost.usd : 0),
      0,
    )
    expect(paid).toBeGreaterThan(0)
    const seen = glances[0]?.().variants[0]
    expect(seen).toMatchObject({ planned: 40, finished: 40, failures: {} })
    expect(seen?.costUsd).toBeCloseTo(paid, 6)
  })

  it("reports the same after an interruption as without one, on recorded timings", async () => {
    const answers = ids.map((id, i) => ({
      id,
      text: i % 5 === 0 ? "wrong" : id,
      ttftMs: 100 + i,
      e2eMs: 300 + 7 * i,
      usage: { promptTokens: 10, completionTokens: 5 },
    }))
    const evaluation = await evaluationOf({
      a: recorded(answers),
      b: recorded(answers.map((row) => ({ ...row, ttftMs: row.ttftMs + 5 }))),
    })
    const whole = openRunStore(scratchDirectory())
    const uninterrupted = await run(evaluation, whole)
    whole.close()

    const store = scratchStore()
    // Reading a record is no request: the budget ends nothing, the interruption does.
    const interrupt = new AbortController()
    let read = 0
    const counting = evaluation.variants.map((variant) => ({
      ...variant,
      provider: {
        ...variant.provider,
        async open(context: OpenContext): Promise<ProviderSession> {
          const session = await variant.provider.open(context)
          return {
            ...session,
            request(...request) {
              if (++read === 17) interrupt.abort(new Error("interrupted"))
              return session.request(...request)
            },
          }
        },
      },
    }))
    const limited = await run({ ...evaluation, variants: counting, budget: { requests: 1 } }, store, {
      signal: interrupt.signal,
    })
    expect(limited.status).toBe("interrupted")
    const resumed = await run(evaluation, store, { resume: limited.record.id })
    expect(resumed.status).toBe("finished")
    const budgetless = (report: RunReport) => ({ ...report, run: { ...report.run, config: {} } })
    expect(timeless(budgetless(resumed.report))).toEqual(timeless(budgetless(uninterrupted.report)))
  })

  it("refuses to resume when the plan has changed", async () => {
    const store = scratchStore()
    const evaluation = await evaluationOf({ a: echo("a") })
    const { record } = await run(evaluation, store)
    await expect(run({ ...evaluation, seed: 99 }, store, { resume: record.id })).rejects.toThrow(/plan has changed/)
  })

  it("goes on with the other variants when a server does not start", async () => {
    const store = scratchStore()
    const broken = fakeProvider("broken", () => fakeAnswer("x"), {
      open: async () => {
        throw new EvalkitError("the server did not get ready", { code: "server", where: "broken" })
      },
    })
    const { report, status, reason } = await run(await evaluationOf({ fine: echo("fine"), broken }), store)
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/40 of 80 calls have no answer: broken: the server did not get ready/)
    expect(report.variants.map(({ finished, failure }) => [finished, failure])).toEqual([
      [40, null],
      [0, "the server did not get ready: broken"],
    ])
  })

  it("answers identical requests from the cache, marks them replayed and keeps them out of every latency", async () => {
    const store = scratchStore()
    const provider = echo("p")
    const evaluation = await evaluationOf({ p: provider }, { cache: true })
    await run(evaluation, store)
    const { report } = await run(evaluation, store)
    expect(provider.requests).toHaveLength(40)
    expect(report.variants[0]?.speed).toMatchObject({
      measured: 0,
      replayed: 40,
      ttftMs: { p50: { status: "unknown" } },
    })
    expect(report.variants[0]?.quality[0]?.scored).toBe(40)
  })

  it("stops at a budget before it is passed and loses nothing", async () => {
    const store = scratchStore()
    const provider = echo("p")
    const { record, status } = await run(await evaluationOf({ p: provider }, { budget: { requests: 10 } }), store)
    expect(status).toBe("incomplete")
    expect(provider.requests).toHaveLength(10)
    expect([...store.finished(record.id)]).toHaveLength(10)
  })

  it("refuses a budget in dollars when a price is unknown", async () => {
    const store = scratchStore()
    await expect(run(await evaluationOf({ p: echo("p") }, { budget: { usd: 1 } }), store)).rejects.toThrow(
      /price is unknown/,
    )
  })

  it("stops asking variants whose verdict is settled, and says what that guarantees", async () => {
    const store = scratchStore()
    const many = Array.from({ length: 400 }, (_, i) => ({ id: `s${i}`, input: `say s${i}`, reference: `s${i}` }))
    const good = echo("good")
    const [same, bad] = [echo("same"), echo("bad", 2)]
    const evaluation = await evaluationOf({ good, same, bad }, { dataset: inline(many), margin: 0.1 })
    const { report, status } = await run(evaluation, store, { untilDecided: true })
    expect(status).toBe("finished")
    expect(bad.requests.length).toBeLessThan(same.requests.length)
    expect(good.requests.length).toBe(same.requests.length)
    expect(same.requests.length).toBeLessThan(400)
    expect(report.variants.map(({ planned, finished }) => planned === finished)).toEqual([true, true, true])
    const section = report.sections.find(({ kind }) => kind === "early_stopping")
    expect(section?.sentences.join(" ")).toMatch(
      /same is not inferior after \d+ samples.*bad is inferior after \d+ samples/,
    )
    expect(section?.sentences.join(" ")).toMatch(/at least 95 %/)
    const compared = report.comparisons.map(({ metrics, verdict }) => ({ ...metrics[0], verdict }))
    // As good, but nothing is gained by it.
    expect(compared.map(({ verdict }) => verdict)).toEqual(["keep", "keep"])
    expect(report.comparisons.map(({ quality }) => quality)).toEqual(["non_inferior", "worse"])
    for (const metric of compared) expect(metric.method).toMatch(/at look \d+ of \d+ planned looks/)
    // The one that was settled first was read at an earlier look, and both share alpha by Holm.
    expect(compared[1]?.design?.reading).toBeLessThan(compared[0]?.design?.reading as number)
    expect(report.decision?.multiplicity).toBe("Holm over 2 candidates")
    expect(compared[0]?.low).toBeGreaterThan(-0.1)
  })

  it("repeats each sample and keeps the repeats apart", async () => {
    const store = scratchStore()
    const provider = echo("p")
    const { report } = await run(await evaluationOf({ p: provider }, { repeats: 3 }), store)
    expect(provider.requests).toHaveLength(120)
    expect(report.variants[0]?.quality[0]).toMatchObject({ scored: 120, total: 120 })
  })

  it("starts a model that is a variant and a judge once, and closes it at the end", async () => {
    const store = scratchStore()
    let opened = 0
    const said = echo("p")
    const both: Provider = {
      ...said,
      async open(context) {
        opened++
        return said.open(context)
      },
    }
    const other = echo("q")
    const asks = { ...exactMatch(), name: "asked", asks: [both] }
    const judged = {
      ...asks,
      measure: async (...[sample, generation, tools]: Parameters<typeof asks.measure>) => {
        const messages = [{ role: "user", content: `say ${sample.id}` } as const]
        await tools.models.call(both, { messages, parameters: {} }, "judge")
        return asks.measure(sample, generation, tools)
      },
    }
    await run(await evaluationOf({ both, other }, { metrics: [judged] }), store)
    expect(opened).toBe(1)
    expect([said.closed.count, other.closed.count]).toEqual([1, 1])
  })
})
