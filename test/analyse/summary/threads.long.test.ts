import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { custom } from "../../../metrics/custom.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import type { SummaryThreads } from "../../../src/analyse/summary/summary-threads.ts"
import { summaryThreads } from "../../../src/cli/score/summary-threads.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { systemClock } from "../../../src/core/clock.ts"
import { unscored } from "../../../src/core/metric/metric.ts"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import type { RunProgress } from "../../../src/core/run/progress.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { evaluate } from "../../../src/pipeline/evaluate.ts"
import { type RescoreOptions, rescore } from "../../../src/pipeline/rescore.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const outcomes: readonly Outcome[] = ["ok", "ok", "ok", "length", "http_5xx", "empty", "refused"]
const price = {
  kind: "tokens",
  inputPerMillion: 1,
  outputPerMillion: 2,
  cachedInputPerMillion: null,
  source: "a test",
  date: "2020-01-01",
} as const

let asked = 0
/** Answers differ, some fail, and so do their lengths and their ends. */
const provider = (name: string) =>
  fakeProvider(name, () => {
    const i = asked++
    return fakeAnswer(i % 3 === 0 ? "x" : `wörds ${i % 11} \ud83d\ude00`, outcomes[(i * 5) % outcomes.length])
  })

const evaluation = await validateConfig({
  dataset: inline(
    Array.from({ length: 120 }, (_, i) => ({
      id: i === 7 ? "half\ud800" : `s${i}`,
      input: `question ${i}`,
      ...(i % 10 !== 3 && { reference: i % 2 ? "x" : "wörds 4" }),
      ...(i % 3 === 0 && { group: "thirds" }),
      ...(i < 40 && { cluster: `c${i % 8}` }),
    })),
  ),
  repeats: 2,
  variants: ["a", "b", "c"].map((name) => ({ name, provider: provider(name), price })),
  metrics: [
    exactMatch(),
    chrf(),
    custom({
      name: "parts",
      direction: "higher",
      measure: (_, { text }) =>
        text.length % 5 === 0 ? unscored("failed", `odd ${text.length}`) : { length: text.length },
      value: ({ length }) => length / 20,
      summarise: (rows) => ({ value: rows.reduce((sum, { length }) => sum + length, 0) / rows.length }),
    }),
  ],
})

let directory: string
let store: RunStore
let record: RunRecord
let expected: RunReport

beforeAll(async () => {
  directory = scratchDirectory()
  store = openRunStore(directory)
  const context = { environment: {}, cacheDirectory: "", clock: systemClock, signal: new AbortController().signal }
  const facts = { id: "run", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null }
  const made = await evaluate({ ...context, evaluation, store, facts })
  record = made.record
  expected = (await repeat()).report
  return () => store.close()
}, 60_000)

async function repeat(options: Partial<RescoreOptions> = {}) {
  let look = (): Pick<RunProgress, "note"> => ({ note: null })
  const { report } = await rescore({
    ...{ evaluation, store, record, fresh: false, environment: {}, cacheDirectory: "", clock: systemClock },
    signal: new AbortController().signal,
    onProgress(snapshot) {
      look = snapshot
    },
    ...options,
  })
  return { report, note: look().note }
}

/** A thread that runs this. */
function threadsOf(code: string): SummaryThreads {
  const path = join(scratchDirectory(), "thread.mjs")
  writeFileSync(path, code)
  return { most: 1, module: { url: pathToFileURL(path), path, execArgv: [] }, workerData: {}, fromAnswers: 0 }
}

describe("a report whose variants are read in several threads", () => {
  it("is that of one thread to the last byte", async () => {
    expect(expected.variants.map(({ finished }) => finished)).toEqual([240, 240, 240])
    expect(expected.variants[1]?.quality.map(({ figure }) => figure.status)).toEqual(["known", "known", "known"])
    for (const target of [1, 2]) {
      const { report, note } = await repeat(summaryThreads(directory, target))
      expect(note).toBeNull()
      expect(JSON.stringify(report)).toBe(JSON.stringify(expected))
    }
  }, 60_000)

  it("is the same where a thread fails, which is said", async () => {
    const { report, note } = await repeat({ summaryThreads: threadsOf("throw new Error('no memory for me')") })
    expect(note).toBe("a thread that reads answers ended: no memory for me; the rest is read without threads")
    expect(JSON.stringify(report)).toBe(JSON.stringify(expected))
  }, 60_000)

  it("is given up when it is interrupted while a thread still reads", async () => {
    const ends = new AbortController()
    const threads = threadsOf(
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {}); setInterval(() => {}, 1000)',
    )
    const waiting = repeat({ summaryThreads: threads, signal: ends.signal })
    setTimeout(() => ends.abort(), 300)
    await expect(waiting).rejects.toMatchObject({ code: "interrupted" })
  }, 60_000)

  it("starts no thread for few answers, for one variant, and for a store that is no folder", async () => {
    const { fromAnswers: _, ...threads } = threadsOf("throw new Error('was started')")
    expect((await repeat({ summaryThreads: threads })).note).toBeNull()
    expect(summaryThreads(null, 2)).toEqual({})
  }, 60_000)
})
