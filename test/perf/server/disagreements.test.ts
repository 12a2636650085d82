import { describe, expect, it } from "vitest"
import { restOfFirstTokens, serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import { createSpeedAccumulator } from "../../../src/perf/speed-figures.ts"
import { generationOf, logOf } from "../logs.ts"

const usage = { promptTokens: 5, cachedPromptTokens: null, completionTokens: 21, reasoningTokens: null }

/** Twenty chunks after 100 ms, one each so many milliseconds, of a server that read for 90 ms and wrote a token each 10 ms. */
function speedOf(gapMs: number, prefillMs = 90) {
  const timings = { prompt_n: 5, prompt_ms: prefillMs, predicted_n: 21, predicted_ms: 200 }
  const events = Array.from({ length: 20 }, (_, i) => ({ atMs: 100 + gapMs * i }))
  const speed = createSpeedAccumulator()
  const log = logOf(events, { endMs: 100 + gapMs * 20 + 5 })
  for (let i = 0; i < 5; i++) speed.add(generationOf(log, { usage, server: { timings } }))
  return speed.figures()
}

describe("where client and server cannot both be right", () => {
  it("is nowhere when they agree, although the end of an answer has no chunk", () => {
    expect(serverDisagreements(speedOf(10), 1)).toEqual([])
    expect(serverDisagreements({}, 1)).toEqual([])
  })

  it("is nowhere in a short answer that streams all that has a chunk", () => {
    // Five tokens in 80 ms: the last has no chunk, and the word before waits for it.
    const timings = { prompt_n: 5, prompt_ms: 90, predicted_n: 5, predicted_ms: 80 }
    const speed = createSpeedAccumulator()
    const log = logOf(
      [100, 120, 140].map((atMs) => ({ atMs })),
      { endMs: 185 },
    )
    for (let i = 0; i < 5; i++) speed.add(generationOf(log, { usage, server: { timings } }))
    expect(serverDisagreements(speed.figures(), 1)).toEqual([])
  })

  it("is said of chunks that were held back, beyond the client's error only", () => {
    expect(serverDisagreements(speedOf(5), 1)).toEqual([
      expect.stringContaining("half of the streams took 85 ms less than the server decoded"),
      expect.stringContaining("half of the answers ended 85 ms before the server says that it was done"),
    ])
    expect(serverDisagreements(speedOf(5), 100)).toEqual([])
  })

  it("leaves the rest of the first token unknown where chunks were held back, since it would be time of decoding", () => {
    expect(restOfFirstTokens(speedOf(10), 1)).toMatchObject({ status: "known", value: 10 })
    expect(restOfFirstTokens(speedOf(5), 1)).toMatchObject({ status: "unknown" })
    expect(restOfFirstTokens({}, 1)).toBeUndefined()
  })

  it("is said of first tokens that came before the prompt was read", () => {
    expect(serverDisagreements(speedOf(10, 120), 1)[0]).toContain("half of the first tokens came 20 ms before")
  })
})
