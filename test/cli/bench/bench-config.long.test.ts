import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, startEndpoint } from "./endpoint.ts"

/** Starting a thread from source takes seconds on a busy machine; threads have tests of their own. */
const here = ["--capture-threads", "0"]
let endpoint: Awaited<ReturnType<typeof startEndpoint>>
const folder = scratchDirectory()
beforeAll(async () => {
  endpoint = await startEndpoint()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { custom, defineConfig, inline, openai } from "evalkit"
     const provider = (model) => openai({ model, baseUrl: ${JSON.stringify(endpoint.url)}, apiKeyVariable: null })
     const price = { kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 1, source: "a cloud", date: "2026-01-01" }
     export default defineConfig({
       dataset: inline([{ input: "one" }, { input: "two" }, { input: "three" }, { input: "warm" }]),
       variants: [{ name: "a", provider: provider("a"), price }, { name: "b", provider: provider("b") }],
       metrics: [custom({ name: "short", direction: "higher", measure: (sample) => Number(sample.input !== "two") })],
     })`,
  )
})
afterAll(async () => {
  await endpoint.close()
})

describe("evalkit bench with a config", () => {
  it("measures its variants in turn on its samples, with their quality under load", async () => {
    const args = ["bench", "--requests", "12", "--slo", "e2e<10s", "--no-calibrate", ...here, "--json"]
    const { exitCode, out, err } = await evalkit(args, folder)
    expect(err.replace("evalkit: kept as bench ", "")).not.toContain("evalkit:")
    expect(exitCode).toBe(0)
    const levels = JSON.parse(out)
    expect(levels.map((level: { variant: string }) => level.variant)).toEqual(["a", "b"])
    for (const level of levels) {
      expect(level).toMatchObject({
        concurrency: 1,
        requests: 12,
        ok: 12,
        slo_attainment: 1,
        transport: "undici",
      })
      expect(level.metrics.short).toMatchObject({ scored: 12, unscored: 0 })
      expect(level.quality).toBeCloseTo(2 / 3, 9)
      expect(level.correct_slo_attainment).toBeCloseTo(2 / 3, 9)
      expect(level.resources).toMatchObject({ peak_rss_bytes: null })
    }
    expect(endpoint.prompts.filter((prompt) => prompt.includes("warm"))).toHaveLength(2)
    // The first config that is loaded compiles the whole library.
  }, 120_000)

  it("ends incomplete when one of its variants answered nothing, and names it", async () => {
    const usual = readFileSync(join(folder, "eval.config.ts"), "utf8")
    const dead = usual.replace(
      'provider: provider("b")',
      'provider: openai({ model: "b", baseUrl: "http://127.0.0.1:9/v1", apiKeyVariable: null })',
    )
    writeFileSync(join(folder, "dead.config.ts"), dead)
    const args = ["bench", "dead.config.ts", "--requests", "3", "--no-calibrate", ...here, "--json"]
    const { exitCode, out, err } = await evalkit(args, folder)
    expect(JSON.parse(out).map((level: { ok: number }) => level.ok)).toEqual([3, 0])
    expect(err).toContain("evalkit: incomplete: no request to b was answered")
    expect(exitCode).toBe(5)
  }, 120_000)

  it("says first that most requests failed, and ends incomplete, when the server dies midway", async () => {
    const dying = await startEndpoint()
    const gone = setInterval(() => {
      if (dying.prompts.length < 4) return
      clearInterval(gone)
      void dying.close()
    }, 2)
    const args = ["bench", "--url", dying.url, "--model", "m", "--requests", "30", "--concurrency", "1"]
    const { exitCode, out, err } = await evalkit([...args, "--no-calibrate", "--no-warm-up"], folder)
    clearInterval(gone)
    expect(out).toMatch(
      /^ m, 1 in flight: most requests failed \(2\d of 30\): its figures are those of the few that were/,
    )
    expect(err).toMatch(/^evalkit: incomplete: \d of 30 requests to m \(1 in flight\) were answered$/m)
    expect(exitCode).toBe(5)
  }, 120_000)

  it("says beside the decode speed that log-probabilities were asked for, which slow a server of one's own", {
    skip: !isNightly,
  }, async () => {
    const usual = readFileSync(join(folder, "eval.config.ts"), "utf8")
    const own = usual.replace(
      '{ name: "b", provider: provider("b") }',
      '{ name: "b", provider: { ...provider("b"), traits: { isFreePerCall: true } }, parameters: { topLogprobs: 5 } }',
    )
    writeFileSync(join(folder, "own.config.ts"), own)
    const args = ["bench", "own.config.ts", "--requests", "12", "--no-calibrate", ...here]
    const { out } = await evalkit(args, folder)
    const row = (name: string) => out.split("\n").find((line) => line.startsWith(`  ${name} `)) ?? ""
    expect(row("b").match(/\(logprobs\)/g)).toHaveLength(2)
    expect(row("a")).not.toContain("logprobs")
    const levels = JSON.parse((await evalkit([...args, "--json"], folder)).out)
    expect(levels.map((level: { with_logprobs: boolean }) => level.with_logprobs)).toEqual([false, true])
    const result = await evalkit([...args, "--variant", "b"], folder)
    expect(result.out).toContain("while log-probabilities were asked for, which can halve it")
  })

  it("says that its intervals stay at 95 % where the config has another level", { skip: !isNightly }, async () => {
    const usual = readFileSync(join(folder, "eval.config.ts"), "utf8")
    writeFileSync(join(folder, "level.config.ts"), usual.replace("defineConfig({", "defineConfig({ alpha: 0.1,"))
    const args = ["bench", "level.config.ts", "--variant", "a", "--requests", "2", "--no-calibrate", ...here, "--json"]
    const { exitCode, err } = await evalkit(args, folder)
    expect([exitCode, err.includes("at 95 %: alpha 0.1 of the config is for runs and comparisons")]).toEqual([0, true])
  })

  it("shares the price of an hour out at the measured throughput, and leaves an unknown price unknown", {
    skip: !isNightly,
  }, async () => {
    const args = ["bench", "--requests", "20", "--concurrency", "2", "--no-calibrate", ...here, "--json"]
    const [a, b] = JSON.parse((await evalkit(args, folder)).out)
    // $3 an hour at the measured tokens per second, for the tokens of these answers
    expect(a.cost_usd).toBeCloseTo(((3 / 3600) * a.requests * 4) / a.system_tps, 9)
    expect(b.cost_usd).toBeNull()
    expect(b.unknown.cost_usd).toContain("no price")
  })

  it("projects the monthly bill of a traffic, and says what it cannot know", { skip: !isNightly }, async () => {
    const args = [
      "bench",
      "--requests",
      "20",
      "--concurrency",
      "2",
      "--no-calibrate",
      ...here,
      "--queries-per-month",
      "1000",
    ]
    const { out } = await evalkit(args, folder)
    // One machine at $3 an hour for 730.5 hours serves a thousand short answers.
    expect(out).toContain("a (2 in flight): 1,000 queries a month cost $2,192.")
    expect(out).toContain("b (2 in flight): the monthly bill is unknown: no price is known for this model.")
  })

  it("measures the variants that are named, and refuses names that are not there", async () => {
    const result = await evalkit(
      ["bench", "--variant", "b", "--requests", "3", "--no-calibrate", ...here, "--json"],
      folder,
    )
    expect(JSON.parse(result.out).map((level: { variant: string }) => level.variant)).toEqual(["b"])
    expect((await evalkit(["bench", "--variant", "c"], folder)).exitCode).toBe(2)
    const partly = await evalkit(["bench", "--variant", "b", "--variant", "c"], folder)
    expect(partly).toMatchObject({ exitCode: 2, err: expect.stringContaining('there is no variant "c"') })
  })

  it.each([
    [["--price", "1/2"], "--price needs --url"],
    [["--prompt-tokens", "64"], "--prompt-tokens needs --url"],
    [["--max-tokens", "64"], "--max-tokens needs --url"],
    [["--key-variable", "KEY"], "--key-variable needs --url"],
    [["--extra-body", "{}"], "--extra-body needs --url"],
    [["--url", "http://127.0.0.1:9/v1", "--model", "m", "--variant", "a"], "--variant needs a config"],
  ])("refuses %j, which it would leave unread", async (options, message) => {
    const refused = await evalkit(["bench", ...options], folder)
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) })
  })

  it("says once of all loads why the bill is unknown, and where the page was written", async () => {
    const args = ["--concurrency", "1,2", "--requests", "3", "--variant", "b", "--queries-per-month", "1000"]
    const { out, err } = await evalkit(["bench", ...args, "--no-calibrate", "--html", "page.html", ...here], folder)
    expect(out).toContain("b (1 in flight), b (2 in flight): the monthly bill is unknown: no price is known")
    expect(err).toContain("evalkit: wrote page.html")
  })
})
