import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { tokenF1 } from "../../../metrics/overlap/token-f1.ts"
import { scoringThreads } from "../../../src/cli/score/scoring-threads.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import type { RunStore, StoredRow } from "../../../src/core/run/run-store.ts"
import { scoreRun } from "../../../src/score/score.ts"
import { createPartScorer } from "../../../src/score/threads/part-scorer.ts"
import { measureTexts, scoreParts } from "../../../src/score/threads/score-parts.ts"
import type { ScoringThreads } from "../../../src/score/threads/scoring-threads.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { openDatabase, openReadonlyDatabase } from "../../../src/store/sqlite/database.ts"
import { type ReadAhead, readAhead } from "../../../src/store/sqlite/read-ahead.ts"
import { storeOver } from "../../../src/store/store-over.ts"
import { fakeAnswer, fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const samples = 900
const outcomes = ["ok", "ok", "ok", "length", "http_5xx", "empty", "refused", "user_failed"] as const
/** Ids that the store keeps otherwise than they are, and texts that JSON or UTF-8 could change. */
const oddIds = ["\u0001odd", "zero\0", "half\ud800", 'quote"', "é", "\u{1f600}"]
const ids = [...oddIds, ...Array.from({ length: samples - oddIds.length }, (_, i) => `s${i}`)]
const words = ["the", "cat", "naïve", "\ud83d\ude00", "sat", "\ud800", "on", "a", "mat.", "\n"]

const all = () => [tokenF1(), chrf(), bleu(), rouge()] as unknown as readonly AnyMetric[]

/** A store with two answers to each sample: finished, empty and failed ones, and some with passages of their own. */
function filledStore(): { store: RunStore; directory: string } {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  store.saveSamples(
    "f",
    ids.map((id, i) => fakeSample(id, { references: i % 50 === 7 ? [] : [`the cat sat ${i % 9}`, "on a mat"] })),
    0,
  )
  store.atomically(() => {
    for (const [i, sampleId] of ids.entries())
      for (const repeat of [0, 1]) {
        const outcome = outcomes[(i * 7 + repeat) % outcomes.length] ?? "ok"
        const text = Array.from({ length: (i % 12) + repeat }, (_, k) => words[(i + k * 3) % words.length]).join(" ")
        const call = { variant: "v", sampleId, repeat, position: (i * 2 + repeat) * 7, source: "recorded" } as const
        const { retryAfterMs: _, ...answer } = fakeAnswer(text, outcome, {
          ...(i % 30 === 3 && { returned: { passages: ["a passage"], fields: { region: "north" } } }),
        })
        store.saveGeneration("r", fakeGeneration(text, { ...answer, ...call }))
      }
  })
  return { store, directory }
}

interface Scoring {
  readonly threads: ScoringThreads | null
  readonly metrics?: readonly AnyMetric[]
  readonly signal?: AbortSignal
  onScored?(answers: number): void
  note?(message: string): void
}

async function score(store: RunStore, { metrics = all(), threads, ...rest }: Scoring): Promise<boolean> {
  const { signal = new AbortController().signal, onScored, note = () => {} } = rest
  const scorer = createPartScorer({ metrics, threads, note })
  try {
    return await scoreParts({
      ...common(store, metrics, signal),
      variant: "v",
      scorer,
      left: 2 * samples,
      onScored: (_, answers) => onScored?.(answers),
    })
  } finally {
    await scorer.close()
  }
}

const common = (store: RunStore, metrics: readonly AnyMetric[], signal: AbortSignal) => ({
  runId: "r",
  store,
  dataset: "f",
  metrics,
  tools: { signal, seed: 1 } as never,
  signal,
  repair: false,
})

const rowsOf = (store: RunStore): readonly StoredRow[] =>
  store.scoredMetrics("r", "v").flatMap((metric) => [...store.rows("r", "v", metric)])

/** Both tables of rows as they are in the file. */
function tables(directory: string): unknown {
  const database = openReadonlyDatabase(directory)
  try {
    return ["row_blocks", "rows"].map((table) => database?.prepare(`SELECT * FROM ${table}`).all([]))
  } finally {
    database?.close()
  }
}

it("keeps the same rows in the same places with threads, without them, and with answers that are read as a whole", async () => {
  const [alone, threaded, whole] = [filledStore(), filledStore(), filledStore()]
  let counted = 0
  await score(alone.store, { threads: null })
  await score(threaded.store, {
    threads: scoringThreads(2),
    onScored: (answers) => (counted += answers),
    note: (message) => expect.fail(message),
  })
  const metrics = all()
  const { signal } = new AbortController()
  await scoreRun({ ...common(whole.store, metrics, signal), variants: ["v"], onScored() {} })
  expect(counted).toBe(2 * samples)
  expect(rowsOf(alone.store)).toHaveLength(2 * samples * metrics.length)
  expect(new Set(rowsOf(alone.store).map(({ measured }) => measured.status))).toEqual(new Set(["scored", "unscored"]))
  expect(rowsOf(threaded.store)).toEqual(rowsOf(alone.store))
  expect(rowsOf(whole.store)).toEqual(rowsOf(alone.store))
  for (const { store } of [alone, threaded, whole]) store.close()
  const expected = tables(join(alone.directory, "evalkit.db"))
  expect(tables(join(threaded.directory, "evalkit.db"))).toEqual(expected)
  expect(tables(join(whole.directory, "evalkit.db"))).toEqual(expected)
}, 60_000)

it("measures in threads only what has no row yet", async () => {
  const [part, full] = [filledStore(), filledStore()]
  await score(part.store, { threads: null, metrics: all().slice(0, 2) })
  const before = rowsOf(part.store)
  part.store.saveRows("r", [{ ...(before[5] as StoredRow), measured: { status: "scored", row: 0.125 }, value: 0.125 }])
  await score(part.store, { threads: scoringThreads(2), note: (message) => expect.fail(message) })
  await score(full.store, { threads: null })
  const expected = rowsOf(full.store)
  const index = expected.findIndex((row) => row.metric === before[5]?.metric && row.sampleId === before[5]?.sampleId)
  const changed = rowsOf(part.store).filter((row, i) => JSON.stringify(row) !== JSON.stringify(expected[i]))
  expect(changed).toEqual([
    { ...expected[index], repeat: before[5]?.repeat, measured: expect.anything(), value: 0.125 },
  ])
  for (const { store } of [part, full]) store.close()
}, 60_000)

it("keeps whole parts from the first on when it is interrupted, and goes on from there", async () => {
  const [stopped, full] = [filledStore(), filledStore()]
  const ends = new AbortController()
  const scoring = { threads: scoringThreads(2), signal: ends.signal, onScored: () => ends.abort() }
  expect(await score(stopped.store, scoring)).toBe(false)
  await score(full.store, { threads: null })
  const kept = rowsOf(stopped.store)
  expect(kept).toHaveLength(256 * all().length)
  const order = (row: StoredRow) => `${row.metric} ${row.sampleId} ${row.repeat}`
  const expected = new Map(rowsOf(full.store).map((row) => [order(row), row]))
  for (const row of kept) expect(expected.get(order(row))).toEqual(row)
  expect(await score(stopped.store, { threads: scoringThreads(2) })).toBe(true)
  expect(rowsOf(stopped.store)).toEqual(rowsOf(full.store))
  for (const { store } of [stopped, full]) store.close()
}, 60_000)

it("scores in this thread, and says why, where the others cannot", async () => {
  const [broken, full] = [filledStore(), filledStore()]
  const path = join(scratchDirectory(), "broken.mjs")
  writeFileSync(path, "throw new Error('no memory for me')")
  const notes: string[] = []
  const module = { url: pathToFileURL(path), path, execArgv: [] }
  const threads = { most: 2, wanted: 2, module }
  expect(await score(broken.store, { threads, note: (message) => notes.push(message) })).toBe(true)
  await score(full.store, { threads: null })
  expect(notes).toEqual(["a thread that scores ended: no memory for me; the rest is scored without threads"])
  expect(rowsOf(broken.store)).toEqual(rowsOf(full.store))
  for (const { store } of [broken, full]) store.close()
})

it("scores in this thread what the others have no room for, instead of waiting for them", async () => {
  const path = join(scratchDirectory(), "busy.mjs")
  writeFileSync(path, "setInterval(() => {}, 1000)")
  const module = { url: pathToFileURL(path), path, execArgv: [] }
  const threads = { most: 1, wanted: 1, module }
  const scorer = createPartScorer({ metrics: all(), threads, note: (message) => expect.fail(message) })
  const part = { packed: { calls: [], answers: [], samples: [] }, known: new Map() }
  let scoredHere = 0
  const counted = async () => {
    scoredHere++
    return { rows: [] }
  }
  const scores = [scorer.score(part, counted, 100)]
  while (scores.length < scorer.atOnce()) scores.push(scorer.score(part, counted, 100))
  for (const entry of scores) entry.catch(() => {})
  await scores.at(-1)
  expect(scoredHere).toBe(1)
  await scorer.close()
})

it("does not start threads for work of less than a second", async () => {
  const { store } = filledStore()
  const path = join(scratchDirectory(), "never.mjs")
  writeFileSync(path, "throw new Error('was started')")
  const module = { url: pathToFileURL(path), path, execArgv: [] }
  await score(store, { threads: { most: 4, wanted: null, module }, note: (message) => expect.fail(message) })
  expect(rowsOf(store)).toHaveLength(2 * samples * all().length)
  store.close()
})

it("says which sample an answer lacks", async () => {
  const { store } = filledStore()
  const scorer = createPartScorer({ metrics: all(), threads: null, note() {} })
  const options = { ...common(store, all(), new AbortController().signal), dataset: "other" }
  const scoring = scoreParts({ ...options, variant: "v", scorer, left: 1, onScored() {} })
  await expect(scoring).rejects.toThrow(/sample .* is not in the store/)
  store.close()
})

it("measures in parts only with metrics that are known to read texts alone", () => {
  expect(measureTexts(all())).toBe(true)
  expect(measureTexts([])).toBe(false)
  const own = { ...(tokenF1() as unknown as AnyMetric), measure: () => ({ status: "scored", row: 1 }) as const }
  expect(measureTexts([...all(), own])).toBe(false)
  const tokenizer = { name: "mine", tokenize: (text: string) => text.split("") }
  expect(measureTexts([bleu({ tokenize: tokenizer }) as unknown as AnyMetric])).toBe(false)
})

it("begins to read a large store ahead once, and leaves a smaller one", async () => {
  const { store: filled, directory } = filledStore()
  filled.close()
  const path = join(directory, "evalkit.db")
  const { size } = statSync(path)
  for (const [fromBytes, expected] of [
    [size, size],
    [1e12, 0],
  ] as const) {
    const begun: ReadAhead[] = []
    const database = openDatabase(path, "normal", (file) => {
      const reading = readAhead(file, fromBytes)
      begun.push(reading)
      return reading
    })
    const store = storeOver(database, { isWritten: () => true, take() {}, release() {}, isAlone: () => true }, () => {})
    store.clearRows("r")
    expect(begun).toHaveLength(0)
    await score(store, { threads: null })
    await score(store, { threads: null })
    expect(begun).toHaveLength(1)
    expect(await begun[0]?.ended).toBeGreaterThanOrEqual(expected)
    if (expected === 0) expect(await begun[0]?.ended).toBe(0)
    store.close()
  }
}, 60_000)

it("says which answer's sample is not in the store", async () => {
  const { store } = filledStore()
  const parts = store.packedAnswers("r", "v", "another", 256)
  expect(() => [...parts]).toThrow("is not in the store")
  store.close()
})
