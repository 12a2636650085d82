import { Worker } from "node:worker_threads"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { ownModule } from "../../../src/platform/own-module.ts"
import { standardDeviation } from "../../../src/stats/mean.ts"
import { blockDraws, type DrawTask, drawBlock } from "../../../src/stats/resampling/draw-blocks.ts"
import { drawSums } from "../../../src/stats/resampling/draw-sums.ts"
import type { SharedBlocks } from "../../../src/stats/resampling/share-blocks.ts"

const random = createRandom("draw-sums")
const values = Float64Array.from({ length: 200 }, () => random.normal())
const resample: DrawTask = { kind: "resample", data: values, size: 1, draws: 4 * blockDraws + 7, seed: "s" }

describe("drawSums", () => {
  it.each(["resample", "flip"] as const)("gives the same %s sums for any number of threads", (kind) => {
    const task: DrawTask = { ...resample, kind, size: 2 }
    const alone = drawSums(task, 1)
    expect(alone).toHaveLength(2 * task.draws)
    for (const threads of [2, 3]) expect(drawSums(task, threads)).toEqual(alone)
  })

  it("draws other sums for another seed", () => {
    expect(drawSums({ ...resample, seed: "other" })).not.toEqual(drawSums(resample))
  })

  it("adds the columns of one row together: a column and its double stay a column and its double", () => {
    const data = new Float64Array(400).map((_, i) => (values[i >> 1] as number) * (1 + (i & 1)))
    const sums = drawSums({ ...resample, data, size: 2 })
    for (let at = 0; at < sums.length; at += 2) expect(sums[at + 1]).toBeCloseTo(2 * (sums[at] as number), 9)
  })

  it("resamples with the spread √n·σ, and keeps a fair half with the spread √(Σd²)/2", () => {
    const draws = 20 * blockDraws
    const spread = standardDeviation(drawSums({ ...resample, draws }))
    expect(spread / (standardDeviation(values, 0) * Math.sqrt(values.length))).toBeCloseTo(1, 1)
    const flips = drawSums({ ...resample, kind: "flip", draws })
    const size = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
    expect((2 * standardDeviation(flips)) / size).toBeCloseTo(1, 1)
  })

  it("gives the same sums where many rows of whole numbers are counted instead of fetched", () => {
    const [size, rows, draws] = [20, 41_000, 11]
    const data = Float64Array.from({ length: rows * size }, (_, at) => (at * 7919) % 13)
    const task: DrawTask = { kind: "resample", data, size, draws, seed: "many" }
    const fetched = new Float64Array(draws * size)
    drawBlock(task, 0, fetched)
    const counted = new Float64Array(draws * size)
    drawBlock({ ...task, exact: true }, 0, counted)
    expect(counted).toEqual(fetched)
    expect(drawSums(task)).toEqual(fetched)
  })

  it("is worked on by other threads while the caller waits", () => {
    const shared = <View>(bytes: number, view: (buffer: SharedArrayBuffer) => View) =>
      view(new SharedArrayBuffer(bytes))
    const task = { ...resample, draws: blockDraws }
    const draws: SharedBlocks = {
      task,
      results: shared(8 * blockDraws, (buffer) => new Float64Array(buffer)),
      next: shared(4, (buffer) => new Int32Array(buffer)),
      done: shared(4, (buffer) => new Int32Array(buffer)),
    }
    const { url, execArgv } = ownModule(
      new URL("../../../src/stats/resampling/draw-sums.ts", import.meta.url).href,
      "./draw-worker",
    )
    new Worker(url, { workerData: draws, execArgv }).unref()
    expect(Atomics.wait(draws.done, 0, 0, 60_000)).toBe("ok")
    expect(draws.results).toEqual(drawSums(task, 1))
  }, 90_000)

  it("repeats no stream from block to block", () => {
    const sums = drawSums(resample)
    expect(new Set(sums).size).toBe(sums.length)
  })
})
