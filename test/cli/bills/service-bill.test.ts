import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
const paid = { answers: 0, embeddedTokens: 0, embeddings: 0, moderations: 0 }
const server = await serveLoopback((request, response, body) => {
  response.setHeader("content-type", "application/json")
  // What the service has is asked for, too.
  if (body === "") return void response.end("{}")
  const { input } = JSON.parse(body)
  const texts: readonly string[] = Array.isArray(input) ? input : [input]
  if (request.url?.endsWith("/embeddings")) {
    const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)
    paid.embeddedTokens += tokens
    paid.embeddings++
    const data = texts.map((_, index) => ({ index, embedding: [1, index + 1] }))
    return void response.end(JSON.stringify({ data, usage: { prompt_tokens: tokens, total_tokens: tokens } }))
  }
  if (request.url?.endsWith("/moderations")) {
    paid.moderations++
    const results = texts.map(() => ({ flagged: false, categories: { hate: false }, category_scores: { hate: 0.1 } }))
    return void response.end(JSON.stringify({ results }))
  }
  paid.answers++
  const usage = { prompt_tokens: 20, completion_tokens: 20 }
  const message = { content: `answer ${paid.answers} ${"word ".repeat(30)}` }
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage }))
})
const url = server.url

async function evalkit(name: string, metric: string, ...args: string[]) {
  await writeFile(
    join(folder, `${name}.config.ts`),
    `import { defineConfig, embeddingSimilarity, moderation, openai, openaiEmbeddings, openaiModeration, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10, source: "test", date: "2026-01-01" }
const at = { baseUrl: "${url}", apiKeyVariable: null }
export default defineConfig({
  dataset: Array.from({ length: 200 }, (_, i) => ({ id: \`s\${i}\`, input: \`question \${i}\`, references: [\`reference \${i}\`] })),
  variants: [variant({ name: "m", parameters: { maxTokens: 40 }, provider: openai({ ...at, model: "m", price }), price })],
  metrics: [${metric}],
  concurrency: 8,
})`,
  )
  const { code, stdout, stderr } = await callCli(["run", `${name}.config.ts`, ...args], { cwd: folder })
  return { code, stdout, stderr, result: () => JSON.parse(stdout) }
}

const priced = "price: { ...price, inputPerMillion: 5 }"
const embedded = (options: string) =>
  `embeddingSimilarity({ embedder: openaiEmbeddings({ ...at, model: "small", ${options} }) })`

describe("a service of embeddings", () => {
  it("is in the dry run with calls, tokens and dollars", { timeout: 60_000 }, async () => {
    const dry = await evalkit("dry", embedded(priced), "--dry-run", "--json")
    const { metrics, metricsNotInCost, maxCostUsd, variants } = dry.result()
    const [{ model, maxCalls, maxTokens, maxCostUsd: usd }] = metrics
    expect([model, maxCalls]).toEqual(["small", 200])
    // A reference of 11 to 13 characters, and an answer of 40 tokens.
    expect(maxTokens).toBeGreaterThan(200 * 40)
    expect(maxTokens).toBeLessThan(200 * 100)
    expect(usd).toBeCloseTo((maxTokens * 5) / 1e6, 4)
    expect(maxCostUsd).toBeCloseTo(variants[0].maxCostUsd + usd, 12)
    expect(metricsNotInCost).toBeUndefined()
  })

  it("has an unknown cost where its price is, and no budget in dollars then", { timeout: 60_000 }, async () => {
    const { stdout } = await evalkit("unpriced", embedded(""), "--dry-run")
    expect(stdout).toMatch(/asks small: 200 calls at most, [\d,]+ tokens, at a price that is unknown/)
    const run = await evalkit("unpriced", embedded(""), "--budget", "1usd")
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(/a price is unknown.*metric embeddingSimilarity, which asks small/s)
    expect(paid.answers).toBe(0)
  })

  it("has its part of a budget set aside: what is answered is scored", { timeout: 60_000 }, async () => {
    const run = await evalkit("budget", embedded(priced), "--no-html", "--json", "--budget", "0.05usd")
    expect(run.code, run.stderr).toBe(5)
    const { finished, quality } = run.result().variants[0]
    expect(finished).toBeGreaterThan(20)
    expect(finished).toBeLessThan(200)
    expect(quality[0].scored).toBe(finished)
    const usd = paid.answers * (20e-6 + 200e-6) + paid.embeddedTokens * 5e-6
    expect(paid.embeddings).toBeGreaterThan(0)
    expect(usd).toBeLessThanOrEqual(0.05)
    expect(run.stderr + run.stdout).toMatch(/the budget of \$0\.05 is spent/)
  })
})

describe("a moderation service", () => {
  const by = "moderation({ by: openaiModeration({ ...at, usdPerRequest: 0.001 }) })"

  it("is in the dry run, a request for each answer at most, and in the budget", { timeout: 60_000 }, async () => {
    const dry = await evalkit("moderated", by, "--dry-run", "--json")
    expect(dry.result().metrics).toMatchObject([
      { model: "omni-moderation-latest", maxCalls: 200, maxTokens: 0, maxCostUsd: expect.closeTo(0.2, 9) },
    ])
    const before = paid.answers
    const run = await evalkit("moderated", by, "--no-html", "--json", "--budget", "0.05usd")
    expect(run.code, run.stderr).toBe(5)
    const { finished, quality } = run.result().variants[0]
    expect(quality[0].scored).toBe(finished)
    expect((paid.answers - before) * 220e-6 + paid.moderations * 0.001).toBeLessThanOrEqual(0.05)
  })

  it("costs nothing at OpenAI's own endpoint, and is unknown elsewhere", { timeout: 60_000 }, async () => {
    const own = await evalkit(
      "own",
      "moderation({ by: openaiModeration({ apiKeyVariable: null }) })",
      "--dry-run",
      "--json",
    )
    expect(own.result().metrics[0].maxCostUsd).toBe(0)
    const other = await evalkit("other", "moderation({ by: openaiModeration(at) })", "--dry-run", "--json")
    expect(other.result().metrics[0].maxCostUsd).toBeNull()
  })
})

it("says which service of the user's own states no estimates", { timeout: 60_000 }, async () => {
  const own =
    "embeddingSimilarity({ embedder: { identity: 'own', embed: async () => [], onUse() {}, close: async () => {} } })"
  const { stdout } = await evalkit("ownService", own, "--dry-run")
  expect(stdout).toContain("asks of services that have no estimates (Metered.estimate) is in none of these figures")
})
