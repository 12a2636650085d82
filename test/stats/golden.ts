import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { goldenFile } from "../support/golden-file.ts"

/** One golden record; its fields are read with the test's own types. */
export interface GoldenRecord<Inputs, Expected> {
  readonly id: string
  readonly inputs: Inputs
  readonly expected: Expected
}

const unread = new WeakMap<object, Set<string>>()

/** Paths of the expected fields that nothing has read yet, without those that the reference's own name starts with `known`. */
export function unreadFields(records: readonly GoldenRecord<unknown, unknown>[], pattern: RegExp = /^$/): string[] {
  return records.flatMap(({ id, expected }) =>
    [...(unread.get(expected as object) ?? [])].filter((path) => !pattern.test(path)).map((path) => `${id}: ${path}`),
  )
}

/** The same record, which notes every field that a check reads, inside nested objects too. */
function watched<Record extends GoldenRecord<unknown, unknown>>(record: Record): Record {
  if (typeof record.expected !== "object" || record.expected === null) return record
  const left = new Set<string>()
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    for (const key of Object.keys(value)) left.add(`${path}${key}`)
    return new Proxy(value, {
      get(target, key) {
        left.delete(`${path}${String(key)}`)
        return nested.get(`${path}${String(key)}`) ?? Reflect.get(target, key)
      },
    })
  }
  const nested = new Map<string, unknown>()
  const expected = record.expected as object
  for (const [key, value] of Object.entries(expected))
    if (typeof value === "object" && value !== null && !Array.isArray(value)) nested.set(key, watch(value, `${key}.`))
  const whole = watch(expected, "") as object
  unread.set(whole, left)
  return { ...record, expected: whole }
}

/** Reads a file of test/golden; "NaN" and "Infinity" become numbers. */
export function readGolden<Inputs, Expected>(name: string): GoldenRecord<Inputs, Expected>[] {
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    "-Infinity": Number.NEGATIVE_INFINITY,
  }
  return readFileSync(goldenFile(name), "utf8")
    .trim()
    .split("\n")
    .map((line) =>
      watched(
        JSON.parse(line, (_key, value: unknown) => (typeof value === "string" ? (special[value] ?? value) : value)),
      ),
    )
}

/** Equal within a relative (and near 0 absolute) tolerance; NaN equals NaN. */
export function expectClose(actual: number, expected: number, tolerance = 1e-9): void {
  if (!Number.isFinite(expected)) {
    expect(actual).toBe(expected)
    return
  }
  expect(Math.abs(actual - expected), `${actual} for ${expected}`).toBeLessThanOrEqual(
    tolerance * Math.max(1, Math.abs(expected)),
  )
}

/** Equal to a relative tolerance even where the value is tiny: for tail probabilities. */
export function expectRelative(actual: number, expected: number, tolerance = 1e-9): void {
  if (expected === 0) {
    expect(Math.abs(actual)).toBeLessThanOrEqual(tolerance)
    return
  }
  expect(Math.abs(actual / expected - 1), `${actual} for ${expected}`).toBeLessThanOrEqual(tolerance)
}
