import { expect, it } from "vitest"
import { createAdaptiveLimit } from "../../src/calls/adaptive-limit.ts"

it("wakes everybody who waits for a free slot, not the last one alone", async () => {
  const limit = createAdaptiveLimit(1, () => 0)
  let end: () => void = () => {}
  const first = limit.run(() => new Promise<void>((resolve) => (end = resolve)))
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    await limit.ready()
    await limit.run(async () => void order.push(number))
  })
  await Promise.resolve()
  end()
  await Promise.all([first, ...waiting])
  expect(order).toEqual([1, 2, 3])
})

it("wakes the next one where whoever was woken begins nothing", async () => {
  const limit = createAdaptiveLimit(1, () => 0)
  let end: () => void = () => {}
  const first = limit.run(() => new Promise<void>((resolve) => (end = resolve)))
  const none = limit.ready()
  const other = limit.ready().then(() => limit.run(async () => "began"))
  await Promise.resolve()
  end()
  await Promise.all([first, none])
  expect(await other).toBe("began")
})
