import { expect, it } from "vitest"
import { pollStore } from "../../../src/cli/watch/poll.ts"
import type { Generation } from "../../../src/core/generation.ts"
import { noteSegmentStart } from "../../../src/core/run/segment-start.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const minute = 60_000
const begunMs = Date.parse("2026-03-01T10:00:00.000Z")
const samples = Array.from({ length: 60 }, (_, i) => fakeSample(`s${i}`))
const metric = { name: "exactMatch", signature: "exactMatch|v1", direction: "higher", range: [0, 1] } as const

/**
 * One run of an hour and a half: a request every 90 seconds that takes a minute. It is looked at when the judges have been asked, 20
 * minutes after the last answer.
 *
 * @param fails whether the answer that ends so many minutes after the run's start failed
 */
function burnOf(fails: (minutes: number) => boolean, { isNoted = true } = {}) {
  const store = openRunStore(scratchDirectory())
  const { retryAfterMs: _, ...answer } = fakeAnswer("yes")
  store.createRun({
    ...{ id: "r", name: "test", status: "finished", seed: 1, repeats: 1, margin: 0.01, alpha: 0.05, baseline: "v" },
    ...{ versions: {}, configPath: "eval.config.ts", config: {}, plan: "p" },
    startedAt: new Date(begunMs).toISOString(),
    finishedAt: new Date(begunMs + 110 * minute).toISOString(),
    dataset: { name: "d", source: "d.jsonl", fingerprint: "f", samples: samples.length, skipped: [] },
    variants: [{ name: "v", model: "v", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }],
    metrics: [{ ...metric, unit: "share", primary: true }],
  })
  if (isNoted) noteSegmentStart(store, "r", { segment: 3, wallMs: begunMs })
  store.saveSamples("f", samples, 0)
  samples.forEach(({ id }, position) => {
    const sendMs = position * 1.5 * minute
    const hasFailed = fails((sendMs + minute) / minute)
    const generation: Generation = {
      ...answer,
      ...{ variant: "v", sampleId: id, repeat: 0, source: "measured", segment: 3, position, retries: [] },
      cost: { status: "unknown", reason: "no price" },
      outcome: hasFailed ? "http_5xx" : "ok",
      log: { ...answer.log, scheduledMs: sendMs, sendMs, endMs: sendMs + minute, events: [] },
    }
    store.saveGeneration("r", generation)
  })
  const nowMs = begunMs + 110 * minute
  const { recent } = pollStore({ store, isWatched: () => true, nowMs, everyMs: minute, target: 0.99 })
  store.close()
  return recent[0]?.burn.map(({ long, short, alarm }) => ({
    n: [long, short].map((figure) => figure.status === "known" && figure.n),
    alarm,
  }))
}

it("counts each answer of a long run when it ended, in windows that end at the newest", () => {
  // An hour and five minutes before the last answer: one every 90 seconds.
  expect(burnOf(() => true)).toEqual([
    { n: [40, 4], alarm: true },
    { n: [60, 20], alarm: true },
    { n: [60, 60], alarm: true },
  ])
})

it("is silent about the last hour where errors ended long ago, and alarms where they have begun", () => {
  expect(burnOf((minutes) => minutes < 60)?.map(({ alarm }) => alarm)).toEqual([false, false, true])
  expect(burnOf((minutes) => minutes > 60)?.map(({ alarm }) => alarm)).toEqual([true, true, true])
})

it("counts the answers of a run that does not say when it asked at its end", () => {
  expect(burnOf(() => true, { isNoted: false })?.map(({ n }) => n)).toEqual([
    [60, 60],
    [60, 60],
    [60, 60],
  ])
})
