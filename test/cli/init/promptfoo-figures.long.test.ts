import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { command } from "../../../src/cli/init/init.ts"
import { command as runCommand } from "../../../src/cli/run/run.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** A model that answers with a sentence and its log-probabilities, and a judge that reads what it is asked to look at. */
const server = await serveLoopback((request, response, body) => {
  if (request.method !== "POST") return response.writeHead(404).end()
  const { messages, stream, model, logprobs } = JSON.parse(body)
  const asked = JSON.stringify(messages)
  if (model === "judge") graderCalls++
  const verdict = /polite/.test(asked) ? "yes" : /rude/.test(asked) ? "no" : /Lyon/.test(asked) ? "disagrees" : "same"
  const text = model === "judge" ? JSON.stringify({ reason: "so", verdict }) : "Paris is the capital of France."
  const words = text.split(/(?= )/)
  const content = words.map((token) => ({ token, logprob: Math.log(0.5), bytes: null, top_logprobs: [] }))
  const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
  const facts = { id: "x", created: 1, model }
  const kept = logprobs ? { logprobs: { content } } : {}
  if (!stream) {
    response.setHeader("content-type", "application/json")
    const message = { role: "assistant", content: text }
    const choices = [{ index: 0, finish_reason: "stop", message, ...kept }]
    return response.end(JSON.stringify({ ...facts, object: "chat.completion", usage, choices }))
  }
  response.setHeader("content-type", "text/event-stream")
  const chunk = (more: object) => `data: ${JSON.stringify({ ...facts, object: "chat.completion.chunk", ...more })}\n\n`
  const delta = { role: "assistant", content: text }
  response.write(chunk({ choices: [{ index: 0, delta, finish_reason: null, ...kept }] }))
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }))
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`)
})
let url: string
let graderCalls = 0
/** 1,000 tokens of prompt and 100 of the reply, in US dollars. */
const graderUsd = 1000 * 0.1e-6 + 100 * 2e-6
beforeAll(async () => {
  url = server.url
})

const configOf = () => `
prompts: ["What is the capital of {{country}}?"]
providers:
  - { id: "openai:chat:m", label: mine, config: { apiBaseUrl: "${url}", apiKeyEnvar: MY_KEY } }
defaultTest:
  options:
    provider: { id: "openai:chat:judge", config: { apiBaseUrl: "${url}", apiKeyEnvar: MY_KEY } }
tests:
  - vars: { country: France }
    assert:
      - { type: similar, metric: near, value: "The capital of France is Paris.", threshold: 0.8 }
      - { type: similar, metric: far, value: "A fish needs no bicycle.", threshold: 0.8 }
      - { type: llm-rubric, metric: polite, value: "It is polite" }
      - { type: llm-rubric, metric: rude, value: "It is rude" }
      - { type: not-llm-rubric, metric: not rude, value: "It is rude" }
      - { type: factuality, metric: fact, value: "Paris" }
      - { type: factuality, metric: wrong fact, value: "Lyon" }
      - { type: bleu, metric: words, value: "Paris is the capital of France.", threshold: 0.9 }
      - { type: bleu, metric: other words, value: "It rains in the north.", threshold: 0.9 }
      - { type: perplexity, metric: sure, threshold: 2.1 }
      - { type: perplexity, metric: surer, threshold: 1.9 }
      - { type: latency, metric: soon, threshold: 60000 }
      - { type: latency, metric: at once, threshold: 0 }
      - { type: cost, metric: cheap, threshold: 0.0004 }
      - { type: cost, metric: cheaper, threshold: 0.0002 }
      - { type: perplexity-score, metric: score of sure, threshold: 0.33 }
      - { type: perplexity-score, metric: score of surer, threshold: 0.34 }
      - { type: context-entity-recall, threshold: 0.5 }
      - { type: cost }
`

describe("evalkit init --from promptfooconfig.yaml, with figures, models and limits", () => {
  const folder = scratchDirectory()
  const own = join(folder, "eval")
  beforeAll(async () => {
    writeFileSync(join(folder, "promptfooconfig.yaml"), configOf())
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: "eval", from: "promptfooconfig.yaml", json: true }, io)).toBe(0)
    const { not_converted: lost } = JSON.parse(io.stdout())
    expect(lost).toEqual([
      { where: "tests[0].assert[17]", reason: "there is no counterpart of context-entity-recall" },
      { where: "tests[0].assert[18]", reason: "cost: it has no threshold" },
    ])
    mkdirSync(join(own, "node_modules"))
    symlinkSync(root, join(own, "node_modules/evalkit"))
    // promptfoo's own limit is of what the call cost: its model has a price in the config, as evalkit wants one.
    const config = readFileSync(join(own, "eval.config.ts"), "utf8")
    const price = `price: { kind: "tokens", inputPerMillion: 0.1, outputPerMillion: 2, source: "test", date: "2026-01-01" }`
    expect(config).toContain("prompt: prompts[0] })")
    writeFileSync(
      join(own, "priced.config.ts"),
      config.replace("prompt: prompts[0] })", `prompt: prompts[0], ${price} })`),
    )
    writeFileSync(
      join(own, "graded.config.ts"),
      config
        .replace("prompt: prompts[0] })", `prompt: prompts[0], parameters: { maxTokens: 50 }, ${price} })`)
        .replace(/(const grader = openai\(\{.*?)( \}\))/, `$1, ${price}$2`),
    )
  })

  it("writes a config without any: the compiler takes it as it is", async () => {
    expect(readFileSync(join(own, "eval.config.ts"), "utf8")).not.toMatch(/\bany\b(?!thing)/)
    writeFileSync(
      join(own, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          ...{ target: "es2023", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true, types: [] },
          ...{ noUnusedLocals: true, noUncheckedIndexedAccess: true, preserveSymlinks: true },
        },
        files: ["eval.config.ts"],
      }),
    )
    writeFileSync(join(own, "package.json"), '{"type":"module"}')
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const ended = await promisify(execFile)(process.execPath, [tsc, "-p", own]).catch((error) => error)
    expect(ended.stdout).toBe("")
  }, 120_000)

  it("scores every assertion: what holds, and what does not", async () => {
    const io = fakeIo({ cwd: own, environment: { MY_KEY: "k" } })
    const args = { config: "priced.config.ts", json: true, html: false, directory: join(folder, "store") }
    const code = await runCommand.run(args, io)
    expect([0, 4], io.stderr()).toContain(code)
    const [variant] = (JSON.parse(io.stdout()) as RunReport).variants
    const figures = variant?.quality.map(({ metric, figure }) => [
      metric,
      figure.status === "known" ? figure.value : figure.reason,
    ])
    expect(Object.fromEntries(figures ?? [])).toEqual({
      ...{ near: 1, far: 0, polite: 1, rude: 0, "not rude": 1, fact: 1, "wrong fact": 0 },
      ...{ "score of sure": 1, "score of surer": 0 },
      ...{ words: 1, "other words": 0, sure: 1, surer: 0, soon: 1, "at once": 0, cheap: 1, cheaper: 0, pass: 0 },
    })
  }, 120_000)

  it("counts each call of the grader in the dry run and in the budget", {
    skip: !isNightly,
    timeout: 120_000,
  }, async () => {
    const dry = fakeIo({ cwd: own, environment: { MY_KEY: "k" } })
    await runCommand.run({ config: "graded.config.ts", json: true, dryRun: true, directory: join(folder, "dry") }, dry)
    const { metrics } = JSON.parse(dry.stdout())
    expect(metrics.map(({ metric, maxCalls }: Record<string, unknown>) => [metric, maxCalls])).toEqual([
      ["polite", 1],
      ["rude", 1],
      ["not rude", 1],
      ["fact", 1],
      ["wrong fact", 1],
    ])
    const usd = metrics.reduce((sum: number, { maxCostUsd }: { maxCostUsd: number }) => sum + maxCostUsd, 0)
    const before = graderCalls
    const run = fakeIo({ cwd: own, environment: { MY_KEY: "k" } })
    const args = { config: "graded.config.ts", json: true, html: false, directory: join(folder, "graded") }
    await runCommand.run(args, run)
    // "rude" and "not rude" ask the same: one call serves both.
    expect(graderCalls - before).toBe(4)
    expect(usd).toBeGreaterThan(4 * graderUsd)
    const broke = fakeIo({ cwd: own, environment: { MY_KEY: "k" } })
    const limited = { ...args, budget: "0.0004usd", directory: join(folder, "limited") }
    expect(await runCommand.run(limited, broke)).toBe(5)
    expect(graderCalls - before).toBe(4)
  })

  it("says why the limit of a cost is not known where the model has no price", {
    skip: !isNightly,
    timeout: 120_000,
  }, async () => {
    const io = fakeIo({ cwd: own, environment: { MY_KEY: "k" } })
    const args = { config: "eval.config.ts", json: true, html: false, directory: join(folder, "unpriced") }
    await runCommand.run(args, io)
    const [variant] = (JSON.parse(io.stdout()) as RunReport).variants
    const cheap = variant?.quality.find(({ metric }) => metric === "cheap")
    expect(cheap?.figure).toMatchObject({
      status: "unknown",
      reason: expect.stringMatching(/cost is not known|costs? .*not known|no_value/),
    })
  })
})
