import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { createRefusalWatch } from "../../src/calls/refusals.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

const refusal = (message: string, httpStatus = 401) => fakeAnswer("", "http_4xx", { httpStatus, failure: { message } })
const usedUp = fakeAnswer("", "rate_limited", {
  httpStatus: 429,
  failure: { message: "HTTP 429: quota of today is used up" },
  retryAfterMs: 3_600_000,
})

describe("a watch on refusals", () => {
  it.each(["HTTP 401: wrong key", "wrong key"])("says the status once: %s", (message) => {
    const watch = createRefusalWatch()
    for (let i = 0; i < 3; i++) watch.saw(refusal(message))
    expect(watch.reason()).toBe("every request is refused: HTTP 401: wrong key")
    expect(watch.failure()).toBe(watch.reason())
  })

  it("gives up where a service asks eight times in a row to wait for longer than a run does, also after answers", () => {
    const watch = createRefusalWatch()
    watch.saw(fakeAnswer("4"))
    for (let i = 0; i < 7; i++) watch.saw(usedUp)
    expect(watch.reason()).toBeNull()
    watch.saw(fakeAnswer("4"))
    for (let i = 0; i < 8; i++) watch.saw(usedUp)
    expect(watch.reason()).toBe(
      "the service asks to wait 60 min, and a run waits 5 min at most: HTTP 429: quota of today is used up",
    )
    // What was answered is known.
    expect(watch.failure()).toBeNull()
  })

  it("does not count waits that a run can keep", () => {
    const watch = createRefusalWatch()
    for (let i = 0; i < 20; i++) watch.saw({ ...usedUp, retryAfterMs: 30_000 })
    expect(watch.reason()).toBeNull()
  })
})

describe("a run whose services refuse", () => {
  it("is not held up by a quota that is used up for an hour, and says of each variant why it ended", async () => {
    const clock = createFakeClock()
    const store = scratchStore()
    const evaluation = await validateConfig({
      dataset: inline(Array.from({ length: 20 }, (_, i) => ({ id: `s${i}`, input: `${i}`, reference: "4" }))),
      variants: [
        { name: "works", provider: fakeProvider("works", () => fakeAnswer("4")) },
        { name: "used-up", provider: fakeProvider("used-up", () => usedUp) },
        { name: "wrong-key", provider: fakeProvider("wrong-key", () => refusal("HTTP 401: wrong key")) },
      ],
      metrics: [exactMatch()],
    })
    const startedAt = clock.now()
    const { reason, report } = await runEvaluation({ evaluation, store, clock, id: "r" })
    expect(clock.now() - startedAt).toBeLessThan(300_000)
    expect(report?.variants.map(({ name, finished }) => [name, finished === 20])).toContainEqual(["works", true])
    expect(reason).toContain("used-up: the service asks to wait 60 min, and a run waits 5 min at most: HTTP 429: quota")
    expect(reason).toContain(" · wrong-key: every request is refused: HTTP 401: wrong key")
    const sentences = report?.comparisons.map(({ sentence }) => sentence) ?? []
    expect(sentences).toContain(
      "Nothing is known of wrong-key, because it could not be measured: every request is refused: HTTP 401: wrong key.",
    )
  })
})
