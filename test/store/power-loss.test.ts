import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { openDatabase } from "../../src/store/sqlite/database.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"

const record = fakeRecord("r", {
  dataset: { name: "d", source: "d.jsonl", fingerprint: "f", samples: 60, skipped: [] },
})

const generation = (position: number) =>
  fakeGeneration(`answer ${position} ${"x".repeat(2000)}`, { sampleId: `s${position}`, position })

describe("a loss of power", () => {
  // Without a flush after each answer the end of SQLite's log may be missing, or be nonsense, when the machine is back.
  it("takes at most the end of what was saved: whole answers from the last one backwards, and nothing before it", () => {
    const random = createRandom("power")
    const folder = scratchDirectory()
    const store = openRunStore(folder)
    store.createRun(record)
    for (let n = 0; n < 60; n++) store.saveGeneration("r", generation(n))
    const log = readFileSync(join(folder, "evalkit.db-wal"))
    expect(log.length).toBeGreaterThan(200_000)
    const copy = join(scratchDirectory(), "copy")
    const kept = Array.from({ length: 25 }, () => Math.floor(random.next() * log.length)).sort((a, b) => a - b)
    let last = 0
    for (const [i, bytes] of kept.entries()) {
      rmSync(copy, { recursive: true, force: true })
      mkdirSync(copy)
      cpSync(join(folder, "evalkit.db"), join(copy, "evalkit.db"))
      const path = join(copy, "evalkit.db-wal")
      writeFileSync(path, log)
      if (i % 2 === 0) truncateSync(path, bytes)
      else writeFileSync(path, Buffer.concat([log.subarray(0, bytes), Buffer.alloc(log.length - bytes, 0x5a)]))
      const answers = openCopy(copy)
      expect(answers).toEqual(Array.from({ length: answers.length }, (_, n) => `s${n}`))
      expect(answers.length).toBeGreaterThanOrEqual(last)
      last = answers.length
    }
    expect(last).toBeGreaterThan(40)
    store.close()
  })

  it("finds every answer on the disk where the store was asked to flush each", () => {
    for (const [synchronous, level] of [
      ["normal", 1],
      ["full", 2],
    ] as const) {
      const database = openDatabase(join(scratchDirectory(), "evalkit.db"), synchronous)
      expect(database.prepare("PRAGMA synchronous").get([])).toEqual({ synchronous: level })
      expect(database.prepare("PRAGMA journal_mode").get([])).toEqual({ journal_mode: "wal" })
      database.close()
    }
  })
})

/** Opens a store as it was found, and names the answers in it. */
function openCopy(folder: string): string[] {
  const database = openDatabase(join(folder, "evalkit.db"))
  expect(database.prepare("PRAGMA integrity_check").get([])).toEqual({ integrity_check: "ok" })
  database.close()
  const store = openRunStore(folder, { readonly: true })
  const answers = Array.from(store.generations("r", "a"), ({ sampleId }) => sampleId)
  store.close()
  return answers
}
