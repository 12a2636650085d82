import { describe, expect, it } from "vitest"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { measureSafely } from "../../src/score/measure-safely.ts"
import { answerOf, noTools, sampleOf } from "../metrics/lexical-fixtures.ts"

const sample = { ...sampleOf(["yes"]), id: "q7" }
const tools = { ...noTools, signal: new AbortController().signal } as MetricTools
const metricOf = (measure: AnyMetric["measure"]) =>
  ({ ...meanMetric({ name: "odd", signature: "odd|v1", measure: () => 0 }), measure }) as AnyMetric
const measureWith = (measure: AnyMetric["measure"], limitMs?: number) =>
  measureSafely(metricOf(measure), sample, answerOf("yes"), tools, limitMs)

describe("a measurement by a metric that misbehaves", () => {
  it.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a text", "0.8"],
    ["nothing", undefined],
    ["a value above its range", 1.5],
    ["a value below its range", -0.1],
  ])("is unscored for %s, with metric, sample and value", async (_, row) => {
    const { measured, value } = await measureWith(() => ({ status: "scored", row }))
    expect(value).toBeNull()
    expect(measured).toMatchObject({ status: "unscored", code: "metric_value" })
    expect((measured as { reason: string }).reason).toMatch(/metric odd, sample q7: its value /)
  })

  it.each([
    ["a number", 1],
    ["a text", "1"],
    ["nothing", undefined],
    ["a row alone", { value: 1 }],
  ])("is unscored for %s in place of scored(row) or unscored(reason)", async (_, input) => {
    const { measured } = await measureWith((() => input) as unknown as AnyMetric["measure"])
    expect(measured).toMatchObject({
      code: "metric_value",
      reason: expect.stringContaining("metric odd, sample q7: it gives neither scored(row) nor unscored(reason)"),
    })
  })

  it("keeps values that leave the range by rounding alone", async () => {
    expect(await measureWith(() => ({ status: "scored", row: 1 + 1e-9 }))).toMatchObject({ value: 1 + 1e-9 })
  })

  it("is unscored for a row that JSON would not give back", async () => {
    const metric = { ...metricOf(() => ({ status: "scored", row: { sums: [1, Number.NaN] } })), value: () => null }
    const { measured } = await measureSafely(metric, sample, answerOf("yes"), tools)
    expect(measured).toMatchObject({ status: "unscored", code: "metric_value" })
  })

  it("is unscored for an error, thrown or rejected, with its cause", async () => {
    const thrown = await measureWith(() => {
      throw new Error("boom in odd")
    })
    const rejected = await measureWith(() => Promise.reject(new Error("boom in odd")))
    for (const { measured } of [thrown, rejected])
      expect(measured).toMatchObject({
        code: "metric_failed",
        reason: "metric_failed: metric odd, sample q7: boom in odd",
        details: { stack: expect.stringMatching(/^Error: boom in odd\n +at .*measure-safely\.test\.ts:\d+/) },
      })
  })

  it("is unscored when it gives no result in time", async () => {
    const { measured } = await measureWith(() => new Promise(() => {}), 50)
    expect(measured).toMatchObject({ code: "metric_timeout", reason: expect.stringContaining("no result in 0.05 s") })
  })

  it("does not count the time in which it waits for a model", async () => {
    const slow = {
      ...tools,
      models: { call: () => new Promise((resolve) => setTimeout(() => resolve({}), 200)) },
    } as unknown as MetricTools
    const metric: AnyMetric = {
      ...metricOf(async (_sample, _generation, { models }) => {
        await models.call({} as never, {} as never, "judge")
        return { status: "scored", row: 1 }
      }),
      asks: [{ label: "judge" } as never],
    }
    expect(await measureSafely(metric, sample, answerOf("yes"), slow, 60)).toMatchObject({ value: 1 })
  })

  it("ends with an interruption", async () => {
    const stop = new AbortController()
    const pending = measureSafely(
      metricOf(() => new Promise(() => {})),
      sample,
      answerOf("yes"),
      { ...tools, signal: stop.signal },
    )
    stop.abort(new Error("interrupted"))
    await expect(pending).rejects.toThrow("interrupted")
  })

  it("waits for a model that it asked before the interruption", async () => {
    const stop = new AbortController()
    const call = () => new Promise((resolve) => setTimeout(() => resolve({}), 1_200))
    const metric: AnyMetric = {
      ...metricOf(async (_sample, _generation, { models }) => {
        await models.call({} as never, {} as never, "judge")
        return { status: "scored", row: 1 }
      }),
      asks: [{ label: "judge" } as never],
    }
    const asking = { ...tools, signal: stop.signal, models: { call } } as unknown as MetricTools
    const pending = measureSafely(metric, sample, answerOf("yes"), asking)
    stop.abort(new Error("interrupted"))
    await expect(pending).resolves.toMatchObject({ value: 1 })
  })
})
