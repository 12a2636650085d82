import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { createServingWindows } from "../../../src/serving/energy/serving-windows.ts"

/** A world of one GPU that draws 300 W while it answers and 60 W while it does not, read each 100 ms: the truth is known. */
function serve(answerMs: number, answers: number, pauseMs: () => number, watts = (_: number) => 300) {
  const windows = createServingWindows()
  const events: { atMs: number; run(): void }[] = []
  let atMs = 37
  let joules = 0
  const busy: [number, number][] = []
  for (let i = 0; i < answers; i++) {
    const [from, to] = [atMs, atMs + answerMs]
    busy.push([from, to])
    for (let ms = from; ms < to; ms++) joules += watts(ms) / 1000
    events.push({ atMs: from, run: () => windows.begin(from) }, { atMs: to, run: () => windows.end(to) })
    atMs = to + pauseMs()
  }
  for (let reading = 0; reading < atMs + 1000; reading += 100) {
    const isBusy = busy.some(([from, to]) => reading >= from && reading < to)
    events.push({ atMs: reading, run: () => windows.power("0", reading, isBusy ? watts(reading) : 60) })
  }
  for (const { run } of events.sort((a, b) => a.atMs - b.atMs)) run()
  return { ...windows.figures(atMs + 1000), truth: joules }
}

describe("the energy of the time in which a server served", () => {
  it.each([50, 130, 500, 1000, 3333, 10_000])("is within 2 % of the truth for answers of %d ms", (answerMs) => {
    const random = createRandom(`energy/${answerMs}`)
    const answers = Math.max(4, Math.ceil(20_000 / answerMs))
    const { joules, truth, servingMs, windows } = serve(answerMs, answers, () => 20 + random.integer(400))
    expect(windows).toBe(answers)
    expect(servingMs).toBe(answers * answerMs)
    expect(Math.abs((joules ?? 0) / truth - 1)).toBeLessThan(0.02)
    // Joules of each answer, not of the whole session: the idle time between them is in none.
    expect((joules ?? 0) / answers).toBeCloseTo(0.3 * answerMs, 0)
  })

  it("states the error of reading a power that changes, and covers the truth by it", () => {
    const random = createRandom("energy/changing")
    const watts = (ms: number) => 300 + 100 * Math.sin(ms / 700)
    const { joules, errorJoules, truth } = serve(400, 60, () => 20 + random.integer(300), watts)
    expect(errorJoules).toBeGreaterThan(0)
    expect(Math.abs((joules ?? 0) - truth)).toBeLessThan(2.6 * (errorJoules ?? 0))
    expect(serve(1000, 5, () => 100).errorJoules).toBe(0)
  })

  it("counts requests that overlap once, and one that is still running up to now", () => {
    const windows = createServingWindows()
    expect(windows.begin(0)).toBe(true)
    expect(windows.begin(500)).toBe(false)
    windows.power("0", 600, 100)
    expect(windows.end(1000)).toBe(false)
    expect(windows.end(2000)).toBe(true)
    expect(windows.figures(9000)).toMatchObject({ servingMs: 2000, windows: 1, joules: 200 })
    windows.begin(10_000)
    windows.power("0", 10_100, 100)
    expect(windows.figures(11_000)).toMatchObject({ servingMs: 3000, windows: 2, joules: 300 })
  })

  it("is unknown without a reading inside a window, and adds several sources up", () => {
    const windows = createServingWindows()
    windows.power("0", 0, 500)
    windows.begin(100)
    windows.end(150)
    windows.power("0", 200, 500)
    expect(windows.figures(300)).toMatchObject({ joules: null, errorJoules: null, servingMs: 50 })
    windows.begin(1000)
    windows.power("0", 1500, 100)
    windows.power("1", 1500, 50)
    windows.end(2000)
    expect(windows.figures(3000).joules).toBeCloseTo((150 * 1050) / 1000, 9)
  })

  it("has a gap as long as its sensor was silent, however short the windows were meanwhile", () => {
    const windows = createServingWindows()
    const answer = (fromMs: number) => {
      windows.begin(fromMs)
      windows.end(fromMs + 500)
    }
    for (let atMs = 0; atMs < 1000; atMs += 100) windows.power("0", atMs, 60)
    windows.begin(1000)
    windows.power("0", 1100, 300)
    windows.end(1500)
    // From here on nvidia-smi hangs: what the other answers drew nobody knows.
    for (let atMs = 2000; atMs < 60_000; atMs += 1000) answer(atMs)
    expect(windows.figures(60_000).longestGapMs).toBe(400 + 58 * 500)
  })

  it("has no gap where readings go on between windows that none of them falls into", () => {
    const windows = createServingWindows()
    windows.begin(0)
    windows.power("0", 10, 300)
    windows.end(100)
    for (let atMs = 100; atMs < 60_000; atMs += 100) {
      windows.power("0", atMs, 60)
      windows.begin(atMs + 20)
      windows.end(atMs + 70)
    }
    expect(windows.figures(60_000).longestGapMs).toBeLessThan(101)
  })

  it("has no gap where nothing was read because nothing was served", () => {
    const windows = createServingWindows()
    windows.begin(0)
    windows.power("0", 10, 300)
    windows.end(100)
    windows.begin(60_000)
    windows.power("0", 60_040, 300)
    windows.end(60_100)
    expect(windows.figures(90_000).longestGapMs).toBe(130)
  })

  it("has a gap in a window that is still open", () => {
    const windows = createServingWindows()
    windows.begin(0)
    windows.power("0", 100, 300)
    expect(windows.figures(9000).longestGapMs).toBe(8900)
  })
})
