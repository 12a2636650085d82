import { expect, it } from "vitest"
import { stageName } from "../../../reports/wording/stages.ts"

it("counts the turns of a conversation in words, and leaves other stages their names", () => {
  expect(["turn2", "turn12", "retrieve", "turnover", "return1"].map(stageName)).toEqual([
    "turn 2",
    "turn 12",
    "retrieve",
    "turnover",
    "return1",
  ])
})
