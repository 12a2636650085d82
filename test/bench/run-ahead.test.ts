import type { Answer } from "evalkit"
import { type ProviderSession, type RequestOptions, systemClock } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import { createQueue } from "../../src/bench/run-ahead.ts"
import { type LoadOptions, runLoad } from "../../src/bench/run-load.ts"
import { fakeSession, loadDefaults } from "./fake-session.ts"

/** A session that holds requests, knows at once what has ended, and keeps all answers until nothing is under way. */
function keepingSession(answerMs: number) {
  const fake = fakeSession(() => ({ firstMs: answerMs }))
  const seen = { asked: 0, ended: 0, maxUnended: 0, handedAtMs: [] as number[], maxInFlight: [] as unknown[] }
  let release: (() => void)[] = []
  const session: ProviderSession = {
    ...fake,
    holdsRequests: true,
    unended: () => seen.asked - seen.ended,
    async request(request, options: RequestOptions) {
      seen.asked++
      seen.maxUnended = Math.max(seen.maxUnended, seen.asked - seen.ended)
      seen.handedAtMs.push(systemClock.now())
      seen.maxInFlight.push(options.maxInFlight)
      const { clock, signal, sendAtMs = 0, originMs } = options
      await clock.sleep(Math.max(0, sendAtMs - clock.now()), signal).catch(() => {})
      const answer = await fake.request(request, options)
      const log = { ...answer.log, endMs: clock.now() - originMs }
      seen.ended++
      await new Promise<void>((resolve) => {
        release.push(resolve)
        if (seen.ended < seen.asked && options.answerMayWait) return
        for (const end of release) end()
        release = []
      })
      return { ...answer, log }
    },
  }
  return { session, seen }
}

async function load(
  arrivals: readonly number[],
  answerMs: number,
  more: Partial<LoadOptions> = {},
  maxInFlight?: number,
) {
  const { session, seen } = keepingSession(answerMs)
  const answers: { readonly answer: Answer; readonly index: number }[] = []
  const calls: (readonly [inFlight: number, ended: number])[] = []
  const beganMs = systemClock.now()
  const outcome = await runLoad({
    ...loadDefaults,
    session,
    plan: {
      kind: "open",
      arrivals: Float64Array.from(arrivals),
      description: "test",
      ...(maxInFlight !== undefined && { maxInFlight }),
    },
    signal: new AbortController().signal,
    originMs: beganMs,
    onAnswer: (answer, index) => void answers.push({ answer, index }),
    onChange: (inFlight, ended) => void calls.push([inFlight, ended]),
    ...more,
  })
  return { ...outcome, answers, calls, seen, beganMs }
}

const everyTen = (count: number) => Array.from({ length: count }, (_, i) => 10 * i)

describe("a load that is handed over ahead", () => {
  it("is with the session before it begins, and every answer comes once, however late it is handed over", async () => {
    const { started, answers, seen, durationMs, peakInFlight } = await load(everyTen(40), 5)
    expect(started).toBe(40)
    expect(answers.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(everyTen(40).map((ms) => ms / 10))
    expect(seen.maxUnended).toBeGreaterThan(20)
    expect(peakInFlight).toBeLessThan(40)
    const lastEndMs = Math.max(...answers.map(({ answer }) => answer.log.endMs))
    const firstScheduledMs = Math.min(...answers.map(({ answer }) => answer.log.scheduledMs))
    expect(durationMs).toBeCloseTo(lastEndMs - firstScheduledMs, 3)
  })

  it("asks each index for its request once, and keeps the schedule of all", async () => {
    const asked: number[] = []
    const { answers } = await load(everyTen(30), 5, {
      requestOf: (index) => {
        asked.push(index)
        return { messages: [{ role: "user", content: String(index) }], parameters: {} }
      },
    })
    expect(asked).toEqual(Array.from({ length: 30 }, (_, i) => i))
    const first = Math.min(...answers.map(({ answer }) => answer.log.scheduledMs))
    for (const { answer, index } of answers) expect(answer.log.scheduledMs - first).toBeCloseTo(10 * index, 6)
  })

  it("says with each request how many may be under way, and counts no more as in flight, however many wait for a place", async () => {
    const { seen, calls, started } = await load(everyTen(12), 60, {}, 2)
    expect(started).toBe(12)
    expect(seen.maxInFlight).toEqual(Array.from({ length: 12 }, () => 2))
    expect(Math.max(...calls.map(([inFlight]) => inFlight))).toBeLessThanOrEqual(2)
  })

  it("hands long prompts over only as those before them are sent", async () => {
    const content = "x".repeat(10_000_000)
    const arrivals = Array.from({ length: 8 }, (_, i) => 40 * i)
    const { seen, started } = await load(arrivals, 1, {
      requestOf: () => ({ messages: [{ role: "user", content }], parameters: {} }),
    })
    expect(started).toBe(8)
    expect(seen.maxUnended).toBeLessThan(7)
  })

  it("ends at once when it is interrupted: what had begun is handed over, and what had not is not counted", async () => {
    const controller = new AbortController()
    const many = Array.from({ length: 50 }, (_, i) => (i < 3 ? i : 60_000 + i))
    const { started, answers, isCut } = await load(many, 20_000, {
      signal: controller.signal,
      onChange: (inFlight) => {
        if (inFlight === 3) controller.abort(new Error("stop"))
      },
    })
    expect(isCut).toBe(true)
    expect(started).toBe(3)
    expect(answers.map(({ answer }) => answer.outcome)).toEqual(["cancelled", "cancelled", "cancelled"])
  })

  it("asks nothing ahead where each answer is waited for because of a budget", async () => {
    const { seen, beganMs } = await load([0, 100, 200, 300], 1, { reserve: () => () => {} })
    expect((seen.handedAtMs.at(-1) as number) - beganMs).toBeGreaterThan(200)
  })

  it("tells how many are in flight and how many have ended while their answers are still kept", async () => {
    const { calls } = await load(
      Array.from({ length: 80 }, (_, i) => 10 * i),
      5,
    )
    expect(calls.some(([inFlight, ended]) => ended > 0 && ended < 80 && inFlight < 40)).toBe(true)
    expect(calls.at(-1)).toEqual([0, 80])
  })
})

describe("a queue", () => {
  it("gives numbers in their order, however many were taken", () => {
    const queue = createQueue()
    for (let i = 0; i < 5000; i++) queue.push(i)
    for (let i = 0; i < 4000; i++) {
      expect(queue.first()).toBe(i)
      queue.shift()
    }
    queue.push(7)
    expect([queue.first(), queue.length()]).toEqual([4000, 1001])
    for (let i = 0; i < 2000; i++) queue.shift()
    expect([queue.first(), queue.length()]).toEqual([Number.POSITIVE_INFINITY, 0])
  })
})
