import { expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import { callId } from "../../../src/core/run/call-id.ts"
import { startCoordination } from "../../../src/pipeline/distribute/coordinate.ts"
import { planRun } from "../../../src/run/plan.ts"
import type { RunStage } from "../../../src/run/run-stage.ts"
import { fakeGeneration, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchStore } from "../../support/scratch-store.ts"

it.each([false, true])(
  "gives a failed call back to be asked once no worker has its slice: mended meanwhile %s",
  async (isMended) => {
    const variants = [
      fakeVariant(
        "a",
        fakeProvider("m", () => Promise.reject(new Error("nobody asks it"))),
      ),
    ]
    const plan = planRun({ variants, sampleIds: ["s0"], datasetFingerprint: "f", repeats: 1, seed: 5, concurrency: 4 })
    const record = fakeRecord("r", { plan: plan.hash })
    const store = scratchStore()
    store.createRun(record)
    store.saveGeneration("r", { ...fakeGeneration("", { outcome: "connection" }), retries: [] })
    const worker = store.registerWorker("r", "scores", {})
    expect(store.claim("r", 0, worker, 60)).toBe(true)
    const end = new AbortController()
    const control = {
      clock: systemClock,
      signal: end.signal,
      budget: { spent: () => ({ usd: 0, tokens: 0, requests: 0 }), charge() {}, exceeded: () => null },
    }
    const run = {
      evaluation: { variants, repeats: 1, metrics: [], budget: {} },
      ...{ record, store, control, progress: { finished() {}, spent() {}, note() {} } },
    } as unknown as RunStage
    const added: number[] = []
    const queue = {
      add: async (jobs: readonly { slice: number }[]) => void added.push(...jobs.map(({ slice }) => slice)),
      ...{ holds: async () => true, clear: async () => {}, close: async () => {} },
    }
    const task = { plan, callsToRepeat: new Set([callId({ variant: "a", sampleId: "s0", repeat: 0 })]) }
    const asked = startCoordination(run, task, { queue, version: "1", detach: false }).ask()
    await systemClock.sleep(600)
    store.heartbeat("r", worker, {})
    expect([store.countFinished("r").get("a"), added]).toEqual([1, []])
    if (isMended) store.addGeneration("r", { ...fakeGeneration("s0"), retries: [] }, (generation) => generation)
    store.releaseClaim("r", 0, worker)
    await systemClock.sleep(600)
    expect([store.countFinished("r").get("a"), added]).toEqual(isMended ? [1, []] : [undefined, [0]])
    expect([...store.attempts("r")].map(({ attempt }) => attempt.outcome)).toEqual(isMended ? [] : ["connection"])
    end.abort(new Error("over"))
    await asked
  },
)
