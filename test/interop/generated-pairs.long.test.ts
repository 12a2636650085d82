import { it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { checkPairs } from "./generated-pairs.ts"

it("two thousand pairs of logs, written with the truth beside them, are compared as it says", async () => {
  await checkPairs(scratchDirectory(), 2000, 2)
}, 1_500_000)
