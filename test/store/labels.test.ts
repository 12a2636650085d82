import { expect, it } from "vitest"
import { unscored } from "../../src/core/metric/metric.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"

const directory = scratchDirectory()
const label = {
  variant: "v",
  sampleId: "s1",
  repeat: 0,
  metric: "judged",
  score: 0.5,
  labeller: "tester",
  drawn: "chance",
  at: "2026-01-01T00:00:00.000Z",
} as const

it("keeps one label per person, answer and metric: the last one", () => {
  const store = openRunStore(`${directory}/labels`)
  store.saveLabel("run", label)
  store.saveLabel("run", { ...label, score: 1 })
  store.saveLabel("run", { ...label, labeller: "other", drawn: "doubt" })
  store.saveLabel("another run", label)
  expect(store.labels("run")).toEqual([
    { ...label, labeller: "other", drawn: "doubt" },
    { ...label, score: 1 },
  ])
  store.close()
})

it("keeps labels of several policies, and a last word, beside those that they are about", () => {
  const store = openRunStore(`${directory}/policies`)
  const decided = { ...label, score: 0, role: "last_word" } as const
  store.saveLabel("run", label)
  store.saveLabel("run", { ...label, policy: "strict", score: 1 })
  store.saveLabel("run", decided)
  store.saveLabel("run", { ...decided, score: 1 })
  expect(store.labels("run")).toEqual([label, { ...decided, score: 1 }, { ...label, policy: "strict", score: 1 }])
  store.close()
})

it("keeps what was found out about an unscored answer beside the reason", () => {
  const store = openRunStore(`${directory}/details`)
  const row = { variant: "v", sampleId: "s1", repeat: 0, metric: "judged", value: null }
  store.saveRows("run", [{ ...row, measured: unscored("panel_quorum", undefined, { members: [1, 2] }) }])
  store.saveRows("run", [{ ...row, sampleId: "s2", measured: unscored("no_reference") }])
  expect([...store.rows("run", "v", "judged")].map(({ measured }) => measured)).toEqual([
    { status: "unscored", code: "panel_quorum", reason: "panel_quorum", details: { members: [1, 2] } },
    { status: "unscored", code: "no_reference", reason: "no_reference" },
  ])
  store.close()
})
