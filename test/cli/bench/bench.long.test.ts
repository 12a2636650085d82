import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, startEndpoint } from "./endpoint.ts"

let endpoint: Awaited<ReturnType<typeof startEndpoint>>
const folder = scratchDirectory()
beforeAll(async () => {
  endpoint = await startEndpoint()
})
afterAll(async () => {
  await endpoint.close()
})

/** A quick look at the endpoint from this thread; the client's own error is measured in a test of its own. */
function bench(...args: string[]) {
  const here = ["--no-calibrate", "--capture-threads", "0"]
  return evalkit(["bench", "--url", endpoint.url, "--model", "m", ...here, ...args], folder)
}

describe("evalkit bench", () => {
  it("prints one object for each level of load", async () => {
    const { exitCode, out } = await bench("--concurrency", "1,3", "--requests", "12", "--json")
    const levels = JSON.parse(out)
    expect(exitCode).toBe(0)
    expect(levels).toHaveLength(2)
    expect(levels[1]).toMatchObject({
      concurrency: 3,
      requests: 12,
      ok: 12,
      outcomes: { ok: 12 },
      availability: 1,
      goodput: null,
      slo_attainment: null,
      client_error: null,
      cost_usd: null,
    })
    const bounds = ["p50", "p90", "p95", "p99"].flatMap((name) => [`${name}_low`, `${name}_high`])
    const distribution = ["mean", "p50", "p90", "p95", "p99", "n", ...bounds]
    for (const name of ["ttft_ms", "ttft_from_intent_ms", "tpot_ms", "itl_ms", "e2e_ms"])
      expect(Object.keys(levels[1][name])).toEqual(distribution)
    expect(levels[1].ttft_ms.n).toBe(12)
    expect(levels[1].ttft_ms.p50).toBeGreaterThan(15)
    expect(levels[1].itl_ms.n).toBe(36)
    expect(levels[0].system_tps).toBeGreaterThan(0)
    // 12 requests at 3 in flight are too few for a throughput.
    expect(levels[1].system_tps).toBeNull()
  })

  it("measures the client's own error beside it", async () => {
    const args = ["bench", "--url", endpoint.url, "--model", "m", "--requests", "4", "--capture-threads", "0", "--json"]
    const [level] = JSON.parse((await evalkit(args, folder)).out)
    expect(Object.keys(level.client_error)).toEqual(["ttft_ms_p50", "ttft_ms_p99", "itl_ms_p50", "itl_ms_p99"])
    expect(typeof level.valid).toBe("boolean")
  })

  it("asks for answers of one length, and says where the endpoint does not keep to it", async () => {
    endpoint.bodies.length = 0
    const { out } = await bench("--requests", "4", "--max-tokens", "32", "--extra-body", '{"top_k": 1}')
    expect(endpoint.bodies.at(-1)).toMatchObject({ max_tokens: 32, ignore_eos: true, min_tokens: 32, top_k: 1 })
    expect(out).toContain("4 of 4 answers ended before the 32 tokens that were asked for")
    endpoint.bodies.length = 0
    const free = await bench("--requests", "4", "--no-fixed-length")
    expect(endpoint.bodies.at(-1)).not.toHaveProperty("ignore_eos")
    expect(free.out).not.toContain("not fixed")
    expect(await bench("--extra-body", "[1]")).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("--extra-body must be a JSON object"),
    })
  })

  it("does without a fixed length where the endpoint refuses to be asked for it", async () => {
    const strict = await startEndpoint({}, ["ignore_eos", "min_tokens"])
    const args = ["bench", "--url", strict.url, "--model", "m", "--requests", "4", "--no-calibrate", "--json"]
    const [level] = JSON.parse((await evalkit([...args, "--capture-threads", "0"], folder)).out)
    await strict.close()
    expect(level).toMatchObject({ requests: 4, ok: 4, answer_tokens: { asked: 128, short_share: 1 } })
  })

  it("does not measure what it warmed up with", async () => {
    endpoint.prompts.length = 0
    const [level] = JSON.parse((await bench("--concurrency", "2", "--requests", "6", "--json")).out)
    expect(endpoint.prompts).toHaveLength(6 + 1 + 2)
    expect(new Set(endpoint.prompts).size).toBe(9)
    expect(level.requests).toBe(6)
    expect(level.cold_start).toMatchObject({ outcome: "ok", connect_ms: expect.any(Number) })
    endpoint.prompts.length = 0
    await bench("--concurrency", "1,3", "--requests", "3")
    // the cold start, three connections before the second level, and two levels of three
    expect(endpoint.prompts).toHaveLength(1 + 3 + 6)
  })

  it("asks each level and each run with words of its own, which no prompt cache knows, unless a seed is named", async () => {
    const asked = async (...args: string[]) => {
      endpoint.prompts.length = 0
      await bench("--concurrency", "1,2", "--requests", "4", "--no-warm-up", ...args)
      return [...endpoint.prompts]
    }
    const [first, second] = [await asked(), await asked()]
    expect(new Set([...first, ...second]).size).toBe(16)
    const [named, repeat] = [await asked("--seed", "5"), await asked("--seed", "5")]
    expect(new Set(named).size).toBe(8)
    expect(repeat.sort()).toEqual(named.sort())
  })

  it("says when prompts came out of the server's cache", async () => {
    const cached = await startEndpoint({ prompt_tokens_details: { cached_tokens: 9 } })
    const args = ["bench", "--url", cached.url, "--model", "m", "--requests", "4", "--no-calibrate"]
    const { out } = await evalkit([...args, "--capture-threads", "0"], folder)
    await cached.close()
    expect(out).toContain("The server's prompt cache held 90.0 % of the prompt tokens")
  })

  it("offers an open loop by rate and by trace", async () => {
    const rate = JSON.parse((await bench("--rate", "100", "--arrival", "constant", "--requests", "10", "--json")).out)
    expect(rate[0].rate).toBeCloseTo(100, 6)
    const words = (await bench("--rate", "100", "--arrival", "constant", "--requests", "10")).out
    expect(words).toMatch(/100 requests a second were due and [\d.]+ started, [\d.]+ ms late at the median/)
    expect(words).toContain("Counted from when the requests were due, the median time to first token is")
    const trace = join(folder, "trace.jsonl")
    writeFileSync(trace, '{"t_ms":0,"inp":5,"out":3}\n{"t_ms":100,"inp":9,"out":3}\n{"t_ms":200,"inp":7,"out":3}\n')
    endpoint.prompts.length = 0
    const replayed = JSON.parse(
      (await bench("--trace", "trace.jsonl", "--trace-speed", "2", "--no-warm-up", "--json")).out,
    )
    expect(replayed[0]).toMatchObject({ rate: 20, requests: 3 })
    const lengths = () => endpoint.prompts.map((prompt) => prompt.split(" ").length)
    expect(lengths()).toEqual([5, 9, 7])
    endpoint.prompts.length = 0
    await bench("--lengths", "trace.jsonl", "--requests", "4", "--no-warm-up")
    expect(lengths()).toEqual([5, 9, 7, 5])
  })

  it("takes lengths, arrivals and objectives of a profile by its name, and what the command line says instead", async () => {
    endpoint.bodies.length = 0
    const rag = ["--profile", "rag", "--requests", "6", "--no-warm-up"]
    const [level] = JSON.parse((await bench(...rag, "--json")).out)
    expect(endpoint.prompts.at(-1)?.split(" ")).toHaveLength(4096)
    expect(endpoint.bodies.at(-1)).toMatchObject({ max_tokens: 512, min_tokens: 512 })
    expect(level.rate).toBeGreaterThan(5)
    expect(level.slo_attainment).toBe(1)
    expect(level.remarks[0]).toMatch(/^profile rag: lengths and objectives: GuideLLM/)
    const own = await bench(...rag, "--prompt-tokens", "7", "--concurrency", "2", "--slo", "ttft<1ms", "--json")
    const [changed] = JSON.parse(own.out)
    expect(endpoint.prompts.at(-1)?.split(" ")).toHaveLength(7)
    expect(changed).toMatchObject({ concurrency: 2, slo_attainment: 0 })
    expect(changed.remarks).toContain("profile rag: changed by the command line: promptTokens, slo")
    await bench("--concurrency", "1,2", "--requests", "4", "--html", "p.html")
    expect(readFileSync(join(folder, "p.html"), "utf8").includes("below 0.1\u00a0s feels immediate")).toBe(true)
    expect((await bench("--profile", "poetry")).exitCode).toBe(2)
  })

  it("reports SLO attainment and cost, in words for people", async () => {
    const { out } = await bench(
      "--requests",
      "10",
      "--slo",
      "ttft<5s,e2e<10s",
      "--price",
      "2.5/15",
      "--queries-per-month",
      "1000000",
    )
    expect(out).toContain("10 of 10 requests were answered (at least 72.2 %)")
    expect(out).toContain("10 of 10 requests (at least 72.2 %) met every objective")
    // 10 × 2.50 + 4 × 15 = 85 dollars per million requests
    expect(out).toContain("1,000 such requests cost $0.0850")
    expect(out).toContain("1,000,000 queries a month cost $85.0.")
    expect(out).toContain("client error: not measured")
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(110)
  })

  it("finds a saturation point and a highest rate", async () => {
    const swept = await bench("--sweep", "--max-concurrency", "4", "--requests", "8", "--json", "--html", "sweep.html")
    expect(JSON.parse(swept.out)[0].saturation).toMatchObject({ reached: false })
    const page = readFileSync(join(folder, "sweep.html"), "utf8")
    expect(page).toContain("Throughput against latency")
    expect(page).toMatch(/<h1>m was not saturated by \d requests in flight/)
    const missed = await bench("--sweep", "--max-concurrency", "4", "--requests", "8", "--slo", "ttft<1ms")
    expect(missed.out).toContain("objectives")
    expect(missed.out).not.toContain("saturated")
    const search = await bench("--find-rate", "--rate", "400", "--slo", "ttft<1ms", "--requests", "30", "--json")
    const result = JSON.parse(search.out)
    expect(result[0]).toMatchObject({ highest_rate: null })
    expect(result).toHaveLength(6)
  })

  it("writes CSV and a page, and compares with an earlier result", async () => {
    writeFileSync(join(folder, "before.json"), (await bench("--requests", "10", "--json")).out)
    const { out } = await bench("--requests", "10", "--csv", "b.csv", "--html", "b.html", "--compare", "before.json")
    expect(out).toContain("against before.json")
    const csv = readFileSync(join(folder, "b.csv"), "utf8").trim().split("\r\n")
    expect(csv).toHaveLength(2)
    expect(csv[0]).toContain("ttft_ms.p50")
    const html = readFileSync(join(folder, "b.html"), "utf8")
    expect(html).toContain("The median time to first token is")
    for (const part of ["Percentiles", "Failed requests", "Cost", "context window", "Measurement error", "as llmperf"])
      expect(html).toContain(part)
    expect(html).not.toContain("<script")
  })

  it("shows what a server and a model call themselves as text, never as markup", async () => {
    const model = '<img src=x onerror="alert(1)">'
    const args = ["--url", endpoint.url, "--model", model, "--requests", "4", "--html", "hostile.html"]
    await evalkit(["bench", ...args, "--no-calibrate", "--capture-threads", "0"], folder)
    expect(readFileSync(join(folder, "hostile.html"), "utf8")).not.toContain("<img")
  })

  it("tells how much of the context window was used", async () => {
    const [level] = JSON.parse((await bench("--requests", "4", "--json")).out)
    // 10 prompt and 4 output tokens of a window of 56
    expect(level).toMatchObject({ context_window: 56, context_use: { p50: 0.25, n: 4 }, context_warnings: [] })
  })

  it("stops at its budget and says so", async () => {
    const { exitCode, out, err } = await bench("--requests", "50", "--budget", "7 requests", "--json")
    expect(exitCode).toBe(5)
    expect(JSON.parse(out)[0].requests).toBe(7)
    expect(err).toContain("the budget of 7 requests is spent")
    const refused = await bench("--budget", "1usd")
    expect(refused.exitCode).toBe(2)
    expect(refused.err).toContain("a price is unknown")
  })

  it("refuses what it cannot do, with exit code 2", async () => {
    for (const args of [
      ["--concurrency", "0"],
      ["--rate", "5", "--concurrency", "4"],
      ["--find-rate"],
      ["--slo", "speed<5"],
      ["--trace", "missing.jsonl"],
      ["--duration", "soon"],
      ["--compare", "missing.json"],
      ["--price", "free"],
    ])
      expect([args, (await bench(...args)).exitCode]).toEqual([args, 2])
    expect((await evalkit(["bench", "--url", endpoint.url], folder)).exitCode).toBe(2)
  })

  it("ends incomplete, with the reason, when nothing answers", async () => {
    const dead = ["bench", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--requests", "3", "--no-calibrate"]
    const { exitCode, out } = await evalkit(dead, folder)
    expect(exitCode).toBe(5)
    expect(out).toContain("0 of 3 requests were answered; lost")
    expect(out).toMatch(/lost: 3 \(no connection\)/)
    expect(out).toContain("For example, no connection: connect ECONNREFUSED")
    expect(out).toContain("errors use up the budget of a 99.9 % target 1,000 times too fast")
    const json = JSON.parse((await evalkit([...dead, "--json"], folder)).out)
    expect(json[0]).toMatchObject({
      ok: 0,
      system_tps: null,
      ttft_ms: { p50: null, n: 0 },
      outcomes: { connection: 3 },
    })
    const count = (failures: { count: number }[]) => failures.reduce((sum, failure) => sum + failure.count, 0)
    expect(count(json[0].failures_over_time)).toBe(3)
  })
})
