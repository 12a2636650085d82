import { it } from "vitest"
import { sized } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { checkPairs } from "./generated-pairs.ts"

it("pairs of logs of every tool, written with the truth beside them, are compared as it says", async () => {
  await checkPairs(scratchDirectory(), sized(200, 60), 1)
}, 60_000)
