import { expect, it } from "vitest"
import { saveStartedPart, startedPartOf } from "../../../src/run/planned/started-part.ts"
import { mergeRuns } from "../../../src/store/merge.ts"
import { scratchStore } from "../../support/scratch-store.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRunIn } from "../../support/synthetic/store.ts"

const at = "2026-01-01T00:00:00.000Z"

it("is what was noted, and of a run that was joined of parts none of them alone", async () => {
  const store = scratchStore()
  await keepRunIn(store, syntheticInput({ samples: 4 }), { id: "one", startedAt: at })
  store.createRun({ ...store.run("one")!, id: "two" })
  saveStartedPart(store, "one", at, { limit: 4, shard: "1/2" })
  saveStartedPart(store, "two", at, { limit: 4, shard: "2/2" })
  expect(startedPartOf(store, "one")).toEqual({ limit: 4, shard: "1/2" })
  const parts = ["one", "two"].map((id) => store.run(id)!)
  expect(startedPartOf(store, mergeRuns(store, parts, "both", at).id)).toEqual({ limit: 4 })
  await keepRunIn(store, syntheticInput({ samples: 4 }), { id: "whole", startedAt: at })
  saveStartedPart(store, "whole", at, {})
  expect([...store.events("whole")]).toEqual([])
  expect(startedPartOf(store, "whole")).toEqual({})
})
