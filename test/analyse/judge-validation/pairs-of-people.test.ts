import { expect, it } from "vitest"
import { pairsOfPeople } from "../../../src/analyse/judge-validation/pairs-of-people.ts"
import type { LabelledItem } from "../../../src/analyse/judge-validation/people.ts"

const item = (
  id: string,
  ...said: readonly (readonly [labeller: string, score: number, policy?: string])[]
): LabelledItem => ({
  id,
  judge: null,
  lastWord: null,
  labels: said.map(([labeller, score, policy = null]) => ({ labeller, score, policy, at: null })),
})

it("tells Cohen's kappa of each two people, over the answers that both labelled by one policy", () => {
  const items = [
    item("1", ["ann", 1], ["ben", 1], ["eva", 0]),
    item("2", ["ben", 0], ["ann", 0]),
    item("3", ["ann", 1], ["ben", 0]),
    item("4", ["ann", 0], ["ben", 0]),
    item("5", ["ann", 1, "strict"], ["ben", 0]),
    item("6", ["ann", 1]),
  ]
  const [first, ...rest] = pairsOfPeople(items, { seed: 1, alpha: 0.05 })
  // 3 of 4 equal; chance agrees in (2·1 + 2·3) / 16 = 0.5: kappa is 0.5.
  expect(first).toMatchObject({
    a: "ann",
    b: "ben",
    both: 4,
    agreement: { status: "known", value: 0.75 },
    kappa: { status: "known", value: 0.5 },
  })
  expect(rest.map(({ a, b, both }) => [a, b, both])).toEqual([
    ["ann", "eva", 1],
    ["ben", "eva", 1],
  ])
  expect(pairsOfPeople([item("1", ["ann", 1])], { seed: 1, alpha: 0.05 })).toEqual([])
})
