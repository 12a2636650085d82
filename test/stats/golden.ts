import { readFileSync } from "node:fs"
import { expect } from "vitest"

/** One golden record; its fields are read with the test's own types. */
export interface GoldenRecord<Inputs, Expected> {
  readonly id: string
  readonly inputs: Inputs
  readonly expected: Expected
}

/** Reads a file of test/golden; "NaN" and "Infinity" become numbers. */
export function readGolden<Inputs, Expected>(name: string): GoldenRecord<Inputs, Expected>[] {
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    "-Infinity": Number.NEGATIVE_INFINITY,
  }
  return readFileSync(new URL(`../golden/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) =>
      JSON.parse(line, (_key, value: unknown) => (typeof value === "string" ? (special[value] ?? value) : value)),
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
