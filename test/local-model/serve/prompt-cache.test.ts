import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestServer } from "./shared-server.ts"

describe("a prompt whose head is in the cache", () => {
  let opened: Awaited<ReturnType<typeof openTestServer>>
  beforeAll(async () => {
    opened = await openTestServer({ parallel: 1 })
  })
  afterAll(() => opened.server.stop())

  /** Reads a prompt of tokens; returns how many of them came from the cache, and the milliseconds that it took. */
  const read = async (prompt: readonly number[], cache: boolean): Promise<{ cached: number; ms: number }> => {
    const body = { model: "tiny", prompt, max_tokens: 1, temperature: 0, ignore_eos: true, cache_prompt: cache }
    const response = await fetch(`${opened.url}/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const { timings } = (await response.json()) as { timings: { cache_n: number; prompt_ms: number } }
    return { cached: timings.cache_n, ms: timings.prompt_ms }
  }

  it("is read in less than half the time of a whole one, few as its new tokens are", async () => {
    const head = Array.from({ length: 430 }, (_, i) => 300 + ((i * 7) % 900))
    const tail = (round: number) => Array.from({ length: 50 }, (_, i) => 300 + ((i * 11 + round) % 900))
    const whole: number[] = []
    const rest: number[] = []
    for (let round = 0; round < 6; round++) {
      whole.push((await read([...head, ...tail(2 * round)], false)).ms)
      const { cached, ms } = await read([...head, ...tail(2 * round + 1)], true)
      expect(cached).toBe(430)
      rest.push(ms)
    }
    expect(Math.min(...rest)).toBeLessThan(Math.min(...whole) / 2)
  })
})
