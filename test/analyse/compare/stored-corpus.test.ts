import { describe, expect, it, vi } from "vitest"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { ter } from "../../../metrics/overlap/ter.ts"
import { tokenF1 } from "../../../metrics/overlap/token-f1.ts"
import { recreateMetric } from "../../../metrics/recreate.ts"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { storedSource } from "../../../src/analyse/source/stored-source.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import { metricRecords } from "../../../src/run/run-record.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const words = "the quick brown fox jumps over the lazy dog and runs away from here".split(" ")
const samples = Array.from({ length: 40 }, (_, i) => ({
  ...fakeSample(`s${i}`),
  references: [words.map((word, k) => words[(k * (i + 1)) % words.length] ?? word).join(" ")],
}))
const lost = (text: string, every: number) =>
  text
    .split(" ")
    .map((word, k) => (k % every === 0 ? "x" : word))
    .join(" ")

/** A store with one run whose answers spoil every seventh and every fifth word. */
async function storeOf(metrics: readonly AnyMetric[], record: Partial<RunRecord["metrics"][number]> = {}) {
  const store = openRunStore(scratchDirectory())
  const variant = (name: string) => ({
    name,
    model: name,
    provider: "fake",
    quantization: null,
    fingerprint: name,
    priceSource: null,
  })
  store.createRun(
    fakeRecord("run", {
      status: "finished",
      margin: 0.02,
      configPath: "gone.config.ts",
      dataset: { name: "d", source: "d.jsonl", fingerprint: "f", samples: samples.length, skipped: [] },
      variants: [variant("a"), variant("b")],
      metrics: metricRecords({ metrics, primary: [metrics[0]?.name ?? ""] }).map((entry) => ({ ...entry, ...record })),
    }),
  )
  store.saveSamples("f", samples, 0)
  for (const [name, every] of [
    ["a", 7],
    ["b", 5],
  ] as const)
    for (const [position, sample] of samples.entries()) {
      const text = lost(sample.references[0] ?? "", every)
      const key = { variant: name, sampleId: sample.id, repeat: 0 }
      const generation = fakeGeneration(text, { ...key, position })
      store.saveGeneration("run", generation)
      const rows = await Promise.all(
        metrics.map(async (metric) => {
          const measured = await metric.measure(sample, generation, {} as never)
          const value = measured.status === "scored" ? metric.value(measured.row) : null
          return { ...key, metric: metric.name, measured, value }
        }),
      )
      store.saveRows("run", rows)
    }
  return store
}

const gone = { metrics: [], cause: "its config could not be loaded (gone.config.ts: not found)" }

describe("a stored run whose config is gone", () => {
  it.each([
    ["bleu", bleu({ smooth: "floor", maxOrder: 3 })],
    ["chrf", chrf({ wordOrder: 2 })],
    ["ter", ter()],
    ["tokenF1", tokenF1()],
  ])("is compared by the same figure as with it, which is not looked for: %s", async (_, made) => {
    const metric = made as AnyMetric
    const store = await storeOf([metric])
    const from = async (metrics: readonly AnyMetric[]) => {
      const isConfigNamed = metrics.length > 0
      const loadMetrics = vi.fn(async () => (isConfigNamed ? { metrics, cause: null } : gone))
      const source = await storedSource({
        names: ["a", "b"],
        store,
        isConfigNamed,
        loadMetrics,
        recreate: recreateMetric,
      })
      expect(loadMetrics).toHaveBeenCalledTimes(Number(isConfigNamed))
      return { comparison: compareVariants(source), notes: source.notes }
    }
    const [withConfig, without] = [await from([metric]), await from([])]
    expect(without.comparison.metrics[0]?.meanBaseline).toBe(withConfig.comparison.metrics[0]?.meanBaseline)
    expect(without.comparison).toEqual(withConfig.comparison)
    expect(without.notes).toEqual([])
    store.close()
  })
  it("is not compared by another quantity: a metric that cannot be made again is refused with the cause", async () => {
    const store = await storeOf([{ ...(bleu() as AnyMetric), name: "mine" }], {
      recipe: { metric: "somebody's own", options: {} },
    })
    const source = storedSource({
      names: ["a", "b"],
      store,
      loadMetrics: async () => gone,
      recreate: recreateMetric,
    })
    await expect(source).rejects.toThrow(
      /mine cannot be compared: its figure is no mean of single answers, and its config could not be loaded \(gone\.config\.ts: not found\)/,
    )
    store.close()
  })
  it("does not take a metric that is computed differently now for the one that was stored", async () => {
    expect(recreateMetric({ name: "bleu", signature: "bleu|old", recipe: { metric: "bleu", options: {} } })).toBeNull()
    expect(recreateMetric({ name: "x", signature: "x", recipe: { metric: "constructor", options: {} } })).toBeNull()
  })
})
