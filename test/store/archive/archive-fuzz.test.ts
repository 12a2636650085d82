import fc from "fast-check"
import { expect, it } from "vitest"
import { UsageError } from "../../../src/core/errors.ts"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { importRun } from "../../../src/store/archive/import-run.ts"
import { scratchStore } from "../../support/scratch-store.ts"
import { arriving, sealed, wholeArchive } from "./archive-support.ts"

const archive = await wholeArchive()
const content = archive.slice(0, -1)

/** Every place of a JSON value, as a path of keys. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => places(member, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) }
  const member = Reflect.get(copy, key)
  if (rest.length === 0 && by === undefined) Reflect.deleteProperty(copy, key)
  else Reflect.set(copy, key, replaced(member, rest, by))
  return copy
}

const number = fc.nat({ max: content.length - 1 })
const mutation = fc.oneof(
  fc
    .record({ at: number, place: fc.nat(), by: fc.oneof(fc.jsonValue(), fc.constant(undefined)) })
    .map(({ at, place, by }) => (lines: string[]) => {
      const value = JSON.parse(lines[at] as string) as unknown
      const all = places(value)
      const text = JSON.stringify(replaced(value, all[place % all.length] ?? [], by)) ?? "null"
      return lines.toSpliced(at, 1, text)
    }),
  number.map((at) => (lines: string[]) => lines.toSpliced(at, 1)),
  fc.tuple(number, number).map(
    ([from, to]) =>
      (lines: string[]) =>
        lines.toSpliced(to, 0, lines[from] as string),
  ),
  fc.tuple(number, fc.nat()).map(
    ([at, cut]) =>
      (lines: string[]) =>
        lines.with(at, (lines[at] as string).slice(0, cut % (lines[at] as string).length)),
  ),
)

it("takes a changed archive whole or refuses it with its place, and keeps nothing of what it refused", async () => {
  const store = scratchStore()
  const { dataset } = JSON.parse(content[0] as string).record as { dataset: { fingerprint: string } }
  let refused = 0
  await fc.assert(
    fc.asyncProperty(mutation, fc.boolean(), async (mutate, resealed) => {
      const lines = mutate([...content])
      const file = resealed ? sealed(lines) : [...lines, archive.at(-1) as string]
      try {
        const { record } = await importRun(store, arriving(file), "a.jsonl")
        expect([...exportRun(store, record)].length).toBeGreaterThan(1)
        store.removeRun(record.id)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
        expect((error as UsageError).where).toMatch(/^a\.jsonl(:\d+)?$/)
        refused++
      }
      expect(store.runs()).toEqual([])
      expect([...store.sampleIds(dataset.fingerprint)]).toEqual([])
    }),
    { seed: 20261122, numRuns: 600 },
  )
  expect(refused).toBeGreaterThan(300)
}, 60_000)
