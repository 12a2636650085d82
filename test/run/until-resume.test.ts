import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { EvalkitError } from "../../src/core/errors.ts"
import type { Provider } from "../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

const rows = Array.from({ length: 120 }, (_, i) => ({ id: `s${i}`, input: `say s${i}`, reference: `s${i}` }))

describe("a run until everything is decided that is resumed", () => {
  it("asks each call that had failed once more, not at every look", async () => {
    const asked = new Map<string, number>()
    const stop = new AbortController()
    let calls = 0
    /** Every eighth question is refused by both sides, however often it is asked. */
    const answering = (name: string): Provider =>
      fakeProvider(name, ({ messages }) => {
        const said = String(messages[0]?.content).replace("say ", "")
        asked.set(`${name} ${said}`, (asked.get(`${name} ${said}`) ?? 0) + 1)
        if (++calls === 70) stop.abort()
        return Number(said.slice(1)) % 8 === 0 ? fakeAnswer("", "http_4xx") : fakeAnswer(said)
      })
    const store = scratchStore()
    const evaluation = await validateConfig({
      name: "resumed",
      dataset: inline(rows),
      variants: ["base", "other"].map((name) => ({ name, provider: answering(name) })),
      metrics: [exactMatch()],
      margin: 0.03,
      concurrency: 4,
      retry: { retries: 0 },
    })
    const run = (signal: AbortSignal, resume?: string) =>
      runEvaluation({
        evaluation,
        store,
        id: "resumed",
        signal,
        untilDecided: true,
        ...(resume !== undefined && { resume }),
      })
    // Stopped, it has a second for its report, which a busy machine may not suffice for.
    await run(stop.signal).catch((error: EvalkitError) => expect(error.code).toBe("interrupted"))
    expect(store.run("resumed")?.status).toBe("interrupted")
    const before = new Map(asked)
    const { record } = await run(new AbortController().signal, "resumed")
    const looks = [...store.events(record.id)].filter(({ kind }) => kind === "stopped_early")
    expect(looks.length).toBeGreaterThan(5)
    const second = [...asked].map(([call, times]) => times - (before.get(call) ?? 0))
    expect(Math.max(...second)).toBe(1)
    // Those that had failed before are among them.
    expect([...before].some(([call]) => (asked.get(call) as number) === 2)).toBe(true)
  })
})
