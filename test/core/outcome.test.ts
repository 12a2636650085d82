import { expect, it } from "vitest"
import { isOfVariant, outcomes } from "../../src/core/outcome.ts"

it("leaves out of availability what the user ended, and an episode whose user failed", () => {
  expect(outcomes.filter((outcome) => !isOfVariant(outcome))).toEqual(["user_failed", "batch_cancelled", "cancelled"])
})
