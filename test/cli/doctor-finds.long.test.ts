import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { DoctorCheck } from "../../src/cli/doctor/check.ts"
import { callCli } from "../support/call-cli.ts"
import { type PickyOptions, type PickyService, startPickyService } from "../support/picky-service.ts"
import { scratchDirectory } from "../support/scratch.ts"

const key = "sk-picky-0123456789"
let service: PickyService
afterEach(() => service.close())

interface Doctored {
  readonly code: number | null
  readonly checks: readonly DoctorCheck[]
  /** The check of this name. */
  of(name: string): DoctorCheck | undefined
}

const price = 'price: { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "list", date: "2026-11-01" }'

async function doctor(
  options: PickyOptions,
  config: {
    variant?: string
    metrics?: string
    price?: string
    rule?: string
    variables?: Record<string, string>
  } = {},
): Promise<Doctored> {
  service = await startPickyService(options)
  // A process loads a config once: each has a folder of its own.
  const folder = scratchDirectory()
  await writeFile(
    join(folder, "eval.config.ts"),
    `import { classifier, defineConfig, embeddingSimilarity, exactMatch, moderation, openai, openaiEmbeddings, openaiModeration, perplexity, rubric, rubrics } from "evalkit"
     const baseUrl = ${JSON.stringify(service.url)}
     export default defineConfig({ dataset: [{ input: "say hello", reference: "hello" }],
       metrics: [exactMatch(), ${config.metrics ?? ""}], ${config.rule ?? ""}${config.rule ? "," : ""}
       variants: [{ name: "a", provider: openai({ model: "m", baseUrl, apiKeyVariable: "PICKY_KEY" }), ${config.price ?? price}, ${config.variant ?? ""} }] })`,
  )
  const { code, stdout, stderr } = await callCli(["doctor", "--json"], {
    cwd: folder,
    environment: { PICKY_KEY: key, ...config.variables },
  })
  expect(stdout + stderr).not.toContain(key)
  const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
  return { code, checks, of: (name) => checks.find((check) => check.name === name) }
}

const needsKey: PickyOptions = {
  refuse: (request) => (request.key === key ? null : { status: 401, message: "Incorrect API key provided" }),
}

describe("evalkit doctor finds", () => {
  it("nothing where nothing is wrong, and asks with the prompt and the parameters of the variant", async () => {
    const { code, checks } = await doctor(
      { ...needsKey, logprobs: true },
      { variant: 'prompt: "Please {{input}}", parameters: { temperature: 0, topLogprobs: 2, seed: 3 }' },
    )
    expect(code).toBe(0)
    expect(checks.filter(({ status }) => status === "failed" || status === "warning")).toEqual([])
    expect(service.seen).toHaveLength(1)
    expect(service.seen[0]?.body).toMatchObject({
      messages: [{ role: "user", content: "Please say hello" }],
      temperature: 0,
      logprobs: true,
      seed: 3,
    })
  })

  it("a wrong key", async () => {
    const { code, of } = await doctor(needsKey, { variables: { PICKY_KEY: "sk-other-9876543210" } })
    expect(code).toBe(2)
    expect(of("variant a")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/^(?!.*HTTP 401 HTTP 401).*HTTP 401.*check the key/),
    })
  })

  it("a wrong model", async () => {
    const refuse = () => ({ status: 404, message: "The model `m` does not exist", code: "model_not_found" })
    const { code, of } = await doctor({ refuse })
    expect(code).toBe(2)
    expect(of("variant a")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("check the model's name"),
    })
  })

  it("a refused parameter", async () => {
    const { code, of } = await doctor(
      {
        refuse: ({ body }) =>
          body.temperature === undefined
            ? null
            : { status: 400, message: "`temperature` is deprecated for this model." },
      },
      { variant: "parameters: { temperature: 0 }" },
    )
    expect(code).toBe(0)
    expect(of("variant a")?.status).toBe("ok")
    expect(of("variant a: parameters")).toMatchObject({
      status: "warning",
      message: expect.stringContaining("temperature: refused by the endpoint"),
    })
  })

  it("an endpoint without log-probabilities, where a metric reads them", async () => {
    const { code, of } = await doctor({}, { metrics: "perplexity()" })
    expect(code).toBe(2)
    expect(of("variant a: log-probabilities")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("a metric reads them"),
    })
  })

  it("a judge without a key, and one with a wrong key", async () => {
    const judge =
      'rubric({ provider: openai({ model: "j", baseUrl, apiKeyVariable: "JUDGE_KEY" }), rubric: rubrics.correctness })'
    const without = await doctor(needsKey, { metrics: judge })
    expect(without.code).toBe(2)
    expect(without.checks.find(({ name }) => name.includes("which asks openai j"))).toMatchObject({
      status: "failed",
      message: expect.stringContaining("JUDGE_KEY is not set"),
    })
    await service.close()
    const wrong = await doctor(needsKey, { metrics: judge, variables: { JUDGE_KEY: "sk-judge-0123456789" } })
    expect(wrong.checks.find(({ name }) => name.includes("which asks openai j"))).toMatchObject({ status: "failed" })
    expect(service.seen.find(({ model }) => model === "j")?.body).toMatchObject({ temperature: 0, seed: 1 })
  })

  it("an embedder and a moderation service without a key", async () => {
    const { code, checks } = await doctor(needsKey, {
      metrics: `embeddingSimilarity({ embedder: openaiEmbeddings({ model: "e", baseUrl, apiKeyVariable: "OTHER_KEY" }) }),
        moderation({ by: openaiModeration({ baseUrl, apiKeyVariable: "PICKY_KEY" }) })`,
    })
    expect(code).toBe(2)
    const result = new Map(checks.map((check) => [check.name.split(" ")[2], check]))
    expect(result.get("embedder")).toMatchObject({ status: "failed", message: expect.stringContaining("OTHER_KEY") })
    expect(result.get("moderation")).toMatchObject({ status: "ok" })
  })

  it("an unknown price", async () => {
    const { code, of } = await doctor({}, { price: "price: null" })
    expect(code).toBe(0)
    expect(of("variant a: price")).toMatchObject({ status: "warning", message: expect.stringContaining("unknown") })
  })

  it.each([
    ['budget: "5usd"', "the budget is in dollars"],
    ['gate: [{ figure: "costUsd", max: 0.01 }]', "a rule reads costUsd"],
    ['constraints: ["costUsd <= $0.01"]', "a rule reads costUsd"],
  ])("an unknown price that the run could not do without: %s", async (rule, words) => {
    const { code, of } = await doctor({}, { price: "price: null", rule })
    expect(code).toBe(2)
    expect(of("variant a: price")).toMatchObject({ status: "failed", message: expect.stringContaining(words) })
  })

  it("an unknown price of a judge", async () => {
    const metrics =
      'rubric({ provider: openai({ model: "j", baseUrl, apiKeyVariable: "PICKY_KEY" }), rubric: rubrics.correctness })'
    const { code, checks } = await doctor({}, { metrics, rule: 'budget: "5usd"' })
    expect(code).toBe(2)
    expect(checks.find(({ name }) => /asks openai j: price/.test(name))).toMatchObject({
      status: "failed",
      message: expect.stringContaining("the budget is in dollars"),
    })
  })

  it("and says in its help what fails and what warns", async () => {
    service = await startPickyService()
    const { stdout } = await callCli(["doctor", "--help"], { cwd: scratchDirectory() })
    const help = stdout.replace(/\s+/g, " ")
    expect(help).toContain(
      "a price that is unknown fails with a budget in dollars or a rule on cost, and warns elsewhere",
    )
    expect(help).toContain("a clock that is off changes no figure")
  })

  it("a quota that is used up", async () => {
    const refuse = () => ({ status: 429, message: "You exceeded your current quota", code: "insufficient_quota" })
    const { code, of } = await doctor({ refuse })
    expect(code).toBe(2)
    expect(of("variant a")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("the quota is used up"),
    })
  })

  it("a clock that is off by a minute", async () => {
    const { of } = await doctor({ headers: () => ({ date: new Date(Date.now() + 60_000).toUTCString() }) })
    expect(of("clock")).toMatchObject({ status: "warning", message: expect.stringMatching(/^(59|60|61) s behind/) })
  })

  it("the limits that a service states, structured output and tools, where the config uses them", async () => {
    const { code, of } = await doctor(
      {
        headers: () => ({ "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59" }),
        answer: () => '{"word":"hello"}',
        message: () => ({ tool_calls: [{ index: 0, id: "1", function: { name: "look", arguments: "{}" } }] }),
      },
      {
        variant: `parameters: { jsonSchema: { name: "x", schema: { type: "object" } } },
          tools: [{ name: "look", parameters: { type: "object" } }]`,
      },
    )
    expect(code).toBe(0)
    expect(of("variant a: rate limits")?.message).toBe("60 requests, 59 left")
    expect(of("variant a: structured output")).toMatchObject({ status: "ok" })
    expect(of("variant a: tools")?.message).toBe("look was called")
    expect(service.seen[0]?.body).toHaveProperty("response_format")
  })
})
