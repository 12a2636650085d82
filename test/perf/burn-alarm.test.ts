import { describe, expect, it } from "vitest"
import { burnAlarms } from "../../src/perf/client/burn-alarm.ts"

const minute = 60_000
const hour = 60 * minute
const now = 100 * hour
/** A look every minute that asks 20 times, of which some share fails, from some minutes ago to others. */
const looks = (from: number, to: number, failed: number) =>
  Array.from({ length: from - to }, (_, i) => ({
    atMs: now - (from - i - 1) * minute,
    asked: 20,
    answered: 20 - failed,
  }))
const alarms = (counts: Parameters<typeof burnAlarms>[0], everyMs = minute) =>
  burnAlarms(counts, { target: 0.99, nowMs: now, everyMs }).map(({ alarm }) => alarm)

describe("burnAlarms", () => {
  it("alarms where long and short window both burn above their threshold", () => {
    // 20 % of errors is 20 times the budget of 99 %.
    expect(alarms(looks(70, 0, 4))).toEqual([true, true, true])
    const [hourly] = burnAlarms(looks(70, 0, 4), { target: 0.99, nowMs: now, everyMs: minute })
    expect(hourly?.long).toMatchObject({ status: "known", n: 1200 })
    expect(hourly?.long.status === "known" && hourly.long.value).toBeCloseTo(20, 9)
  })

  it("does not alarm any more once the short window is calm, nor where only it burns", () => {
    expect(alarms([...looks(60, 6, 4), ...looks(6, 0, 0)])[0]).toBe(false)
    expect(alarms([...looks(60, 3, 0), ...looks(3, 0, 4)])[0]).toBe(false)
  })

  it("does not take one failure of a few requests for a fire", () => {
    expect(alarms([{ atMs: now, asked: 20, answered: 19 }])).toEqual([false, false, false])
    expect(alarms([{ atMs: now, asked: 20, answered: 0 }])).toEqual([true, true, true])
  })

  it("is silent where nothing was asked, and looks as far back as its looks are apart", () => {
    expect(alarms([])).toEqual([false, false, false])
    const last = [{ atMs: now - 50 * minute, asked: 100, answered: 0 }]
    expect(alarms(last)[0]).toBe(false)
    expect(alarms(last, hour)[0]).toBe(true)
  })
})
