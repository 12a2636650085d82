import { expect, it } from "vitest"
import type { SliceJob } from "../../../src/core/run/slice-queue.ts"
import { startCoordination } from "../../../src/pipeline/distribute/coordinate.ts"
import { planRun } from "../../../src/run/plan.ts"
import type { RunStage } from "../../../src/run/run-stage.ts"
import { createFakeClock } from "../../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

const provider = fakeProvider("m", () => fakeAnswer("yes"))
const variants = [fakeVariant("a", provider)]
const sampleIds = Array.from({ length: 100 }, (_, i) => `s${i}`)
const plan = planRun({ variants, sampleIds, datasetFingerprint: "f", repeats: 1, seed: 5, concurrency: 4 })

/** Coordinates a run whose rows take so long to count, one look after the other; everything is answered at the last one. */
async function coordinated(
  countsMs: readonly number[],
  holds: (lookedMs: number) => boolean = () => true,
  workersSpentUsd: (looks: number) => readonly (number | null)[] = () => [],
) {
  const clock = createFakeClock()
  let looks = 0
  const answered = () => (looks >= countsMs.length ? sampleIds.length : 0)
  const added: (readonly SliceJob[])[] = []
  const spentUsd: (number | null)[] = []
  const run = {
    evaluation: { variants, repeats: 1, metrics: [], budget: {} },
    record: { id: "r", plan: plan.hash, metrics: [] },
    store: {
      finished: () => sampleIds.slice(0, answered()).map((sampleId) => ({ variant: "a", sampleId, repeat: 0 })),
      countFinished() {
        clock.advance(countsMs[Math.min(looks++, countsMs.length - 1)]!)
        return new Map([["a", answered()]])
      },
      setQuota() {},
      quota: () => null,
      workers: () =>
        workersSpentUsd(looks).map((usd, number) => ({
          number,
          name: "w",
          silentSeconds: 60,
          data: { spentUsd: usd },
        })),
      claims: () => 0,
      reclaim: () => 0,
    },
    control: {
      clock,
      signal: new AbortController().signal,
      budget: { spent: () => ({ usd: 0.5 }), charge() {}, exceeded: () => null },
    },
    progress: { finished() {}, spent: (usd: number | null) => spentUsd.push(usd), note() {} },
  } as unknown as RunStage
  const queue = {
    add: async (jobs: readonly SliceJob[]) => void added.push(jobs),
    holds: async () => holds(looks),
    clear: async () => {},
    close: async () => {},
  }
  const task = { plan, callsToRepeat: new Set<string>() }
  const stopped = await startCoordination(run, task, { queue, version: "1", detach: false }).ask()
  return { stopped, rests: clock.slept.slice(0, countsMs.length - 1), added, spentUsd }
}

it("rests four times as long as a count of the rows took, a quarter of a second at least and five seconds at most", async () => {
  const { stopped, rests } = await coordinated([0, 10, 100, 800, 1_250, 3_000, 200, 0])
  expect(stopped).toBeNull()
  expect(rests).toEqual([250, 250, 400, 3_200, 5_000, 5_000, 800])
})

it("puts its slices back when two looks in a row find none of them in the queue, and not after one", async () => {
  const seconds = Array.from({ length: 5 }, () => 500)
  // Each look takes half a second and rests for two: every one sees to the queue, too.
  const lost = await coordinated(seconds, (look) => look !== 2 && look !== 3)
  expect(lost.added.map((jobs) => jobs.map(({ slice }) => slice))).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ])
  const blinked = await coordinated(seconds, (look) => look !== 2)
  expect(blinked.added).toHaveLength(1)
})

it("shows what workers say that their calls cost, beside what the run had cost before; unknown where one does not know", async () => {
  // 0.25 dollars of the first worker are of an earlier process, and among the 0.5 that the run had cost.
  const result = await coordinated([0, 0, 0], undefined, (looks) => [0.25 + looks, 2 * looks])
  expect(result.spentUsd.slice(0, 3)).toEqual([3.5, 6.5, 9.5])
  const unknown = await coordinated([0, 0], undefined, () => [1, null])
  expect(new Set(unknown.spentUsd)).toEqual(new Set([null]))
})
