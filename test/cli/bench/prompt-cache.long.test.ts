import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { withoutLinks } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { startCachingEndpoint, truth } from "./caching-endpoint.ts"
import { evalkit } from "./endpoint.ts"

const folder = scratchDirectory()

const quick = ["--model", "m", "--no-calibrate", "--capture-threads", "0"] as const

async function bench(endpoint: { readonly url: string }, ...args: readonly string[]) {
  return evalkit(["bench", "--url", endpoint.url, ...quick, ...args], folder)
}

describe("evalkit bench --prompt-cache", () => {
  it("measures hits and misses beside each other, with the time and the price of each", async () => {
    const endpoint = await startCachingEndpoint()
    const args = ["--prompt-cache", "both", "--prompt-tokens", "640", "--price", "10/1/0", "--requests", "24"]
    const { out, exitCode } = await bench(endpoint, ...args, "--json")
    expect(exitCode).toBe(0)
    const [hits, misses] = JSON.parse(out)
    expect([hits.prompt_cache.asked, misses.prompt_cache.asked]).toEqual(["hit", "miss"])
    expect(hits.prompt_cache).toMatchObject({ of: "m", hit: { n: 24 }, miss: { n: 0 }, unreported: 0, reason: null })
    expect(misses.prompt_cache).toMatchObject({ hit: { n: 0 }, miss: { n: 24, cached_share: 0 } })
    const [fast, slow] = [hits.prompt_cache.hit.ttft_ms_p50, misses.prompt_cache.miss.ttft_ms_p50]
    expect(fast).toBeGreaterThan(truth.hitMs - 3)
    expect(fast).toBeLessThan(truth.missMs - 10)
    expect(slow).toBeGreaterThan(truth.missMs - 3)
    expect(slow).toBeLessThan(2 * truth.missMs)
    // 576 words are shared: 36 blocks of 16; the rest is read anew at ten times the price.
    expect(hits.prompt_cache.hit.cached_share).toBeCloseTo(576 / 640, 6)
    expect(hits.prompt_cache.hit.cost_usd).toBeCloseTo((576 * 1 + 64 * 10) / 1e6, 9)
    expect(misses.prompt_cache.miss.cost_usd).toBeCloseTo((640 * 10) / 1e6, 9)
    expect(new Set(endpoint.seen.map(({ words }) => words))).toEqual(new Set([640]))
    await endpoint.close()
  })

  it("says it in words and on the page", async () => {
    const endpoint = await startCachingEndpoint()
    const { out } = await bench(endpoint, "--prompt-cache", "both", "--requests", "12", "--html", "load.html")
    await endpoint.close()
    expect(out).toMatch(/prompt cache +load +hits +cached +TTFT p50/)
    expect(out).toContain("12 of 12 hits were such, as the service reports.")
    expect(out).toContain("12 of 12 misses were such, as the service reports.")
    const page = readFileSync(join(folder, "load.html"), "utf8")
    expect(withoutLinks(page)).toContain("Prompt cache</h2>")
    expect(page).toContain("not in the cache")
    expect(page).toMatch(
      /m, 1 in flight: the first token came after \d[^<]* ms \([^<]*\) where the prompt cache held the prompt \(12 answers\), after \d/,
    )
  })

  it("does not call prompts hits that the service did not find", async () => {
    const endpoint = await startCachingEndpoint({ forgets: true })
    const { out } = await bench(endpoint, "--prompt-cache", "hit", "--requests", "8")
    await endpoint.close()
    expect(out).toContain(
      "only 0 of 8 hits were such, as the service reports: the figures of this load are not those of a hit.",
    )
  })

  it("says that nothing confirms it where the service reports no cached tokens", async () => {
    const endpoint = await startCachingEndpoint({ reports: false })
    const both = ["--prompt-cache", "both", "--requests", "8"]
    const { out } = await bench(endpoint, ...both)
    expect(out).toContain("whether the prompts that the cache holds were so is unknown: the service reports no cached")
    const [hits, misses] = JSON.parse((await bench(endpoint, ...both, "--json")).out)
    await endpoint.close()
    expect(hits.prompt_cache).toMatchObject({ hit: { n: 0, ttft_ms_p50: null }, unreported: 8 })
    expect(misses.ttft_ms.p50 - hits.ttft_ms.p50).toBeGreaterThan((truth.missMs - truth.hitMs) / 2)
  })

  it("splits what a service reports without being asked to", async () => {
    const endpoint = await startCachingEndpoint()
    const { out } = await bench(
      endpoint,
      "--prompt-tokens",
      "64",
      "--shared-prefix",
      "0.5",
      "--no-warm-up",
      "--requests",
      "8",
      "--json",
    )
    await endpoint.close()
    const [level] = JSON.parse(out)
    expect(level.prompt_cache).toMatchObject({ asked: null, hit: { n: 7 }, miss: { n: 1 } })
  })

  it("refuses a config's prompts and those of a trace", async () => {
    expect(await evalkit(["bench", "--prompt-cache", "hit"], folder)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("--prompt-cache needs --url"),
    })
    const trace = await evalkit(
      ["bench", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--prompt-cache", "hit", "--lengths", "x.jsonl"],
      folder,
    )
    expect(trace).toMatchObject({ exitCode: 2, err: expect.stringContaining("exclude each other") })
  })
})

describe("answers of another length than was asked for", () => {
  it("are counted, and what they change is said", async () => {
    const endpoint = await startCachingEndpoint({ answerTokens: 4 })
    const args = ["--max-tokens", "32", "--requests", "10"]
    const { out } = await bench(endpoint, ...args)
    expect(out).toContain(
      "10 of 10 answers ended before the 32 tokens that were asked for (100 %, 72.2 to 100 %); median 4",
    )
    const [level] = JSON.parse((await bench(endpoint, ...args, "--json")).out)
    expect(level.answer_tokens).toMatchObject({ mean: 4, p50: 4, n: 10, asked: 32, at_limit_share: 0, short_share: 1 })
    await endpoint.close()
  })

  it("are none where the server keeps to the length", async () => {
    const endpoint = await startCachingEndpoint({ answerTokens: 0 })
    const args = ["--max-tokens", "32", "--requests", "10", "--json"]
    const [level] = JSON.parse((await bench(endpoint, ...args)).out)
    await endpoint.close()
    expect(level.answer_tokens).toMatchObject({ mean: 32, short_share: 0, at_limit_share: 1 })
  })

  it("forbid a verdict over whole answers, and none over tokens", async () => {
    const [short, long] = [
      await startCachingEndpoint({ answerTokens: 4 }),
      await startCachingEndpoint({ answerTokens: 0 }),
    ]
    const args = ["--max-tokens", "64", "--requests", "10"]
    writeFileSync(join(folder, "before.json"), (await bench(long, ...args, "--json")).out)
    const { out } = await bench(short, ...args, "--compare", "before.json")
    await Promise.all([short.close(), long.close()])
    expect(out).toMatch(/E2E .*other lengths/)
    expect(out).not.toMatch(/TTFT .*other lengths/)
  })
})
