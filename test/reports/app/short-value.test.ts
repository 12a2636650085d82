import { expect, it } from "vitest"
import { shortValue } from "../../../reports/app/samples/short-value.ts"

it("writes a value in as few characters as tell it from others", () => {
  const values = [0.667, 0.333, 0.05, 0.994, 0.996, 0.0004, 0, -0.5, 1.25, 9.96, 74.12, 100, 1234, 2_500_000]
  expect(values.map(shortValue)).toEqual([
    ...[".67", ".33", ".05", ".99", "1.0", "~0", ".00", "\u2212.5", "1.3", "10", "74", "100", "1k", "3M"],
  ])
})
