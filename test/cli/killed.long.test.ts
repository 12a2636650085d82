import { writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { serveLoopback } from "../support/loopback.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** How a chat endpoint answers the n-th request (from 0) with the same question. */
type Way = (response: ServerResponse, n: number) => void | Promise<void>

let asked = new Map<string, number>()
let way: (question: string) => Way = () => answer
let onAsked: (question: string, n: number) => void = () => {}

const event = (response: ServerResponse, fields: object) =>
  response.write(`data: ${JSON.stringify({ id: "1", ...fields })}\n\n`)
const say = (response: ServerResponse, content: string) =>
  event(response, { choices: [{ index: 0, delta: { content } }] })
/** Four of the tokens are the answer's: none beside a text would be no count. */
const bill = (response: ServerResponse, tokens: number) =>
  event(response, { choices: [], usage: { prompt_tokens: tokens - 4, completion_tokens: 4, total_tokens: tokens } })

const answer: Way = (response) => {
  say(response, '{"reason":"as asked","choice":"yes"}')
  event(response, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
  bill(response, 5)
  response.end("data: [DONE]\n\n")
}

/** Half an answer that is paid for, and then, for as long as the run lives, nothing. */
const costlyThenSilent: Way = (response, n) => {
  if (n === 1) return
  if (n > 1) return answer(response, n)
  say(response, "half an ans")
  bill(response, 1000)
  response.end()
}

const server = await serveLoopback((request, response, body) => {
  if (request.method === "GET") return response.end("{}")
  const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
  const text = messages.map(({ content }) => content).join(" ")
  const question = `${model} ${/text \d+/.exec(text)?.[0]}`
  const n = asked.get(question) ?? 0
  asked.set(question, n + 1)
  onAsked(question, n)
  response.setHeader("content-type", "text/event-stream")
  void way(question)(response, n)
})
const baseUrl = server.url
beforeEach(() => {
  asked = new Map()
  way = () => answer
  onAsked = () => {}
})

function project(samples: number, concurrency = 1): string {
  const folder = scratchDirectory()
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: "yes" }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, openai, rubric, rubrics, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "t", date: "2026-01-01" }
const at = (model: string) => openai({ model, baseUrl: "${baseUrl}", apiKeyVariable: null, price })
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [variant({ name: "a", provider: at("a") })],
  metrics: [rubric({ provider: at("judge"), rubric: rubrics.yesOrNo })],
  concurrency: ${concurrency},
  retry: { retries: 3, baseDelayMs: 1, maxDelayMs: 5 },
})
`,
  )
  return folder
}

const run = (folder: string, ...args: string[]) => runCli(["run", "--no-html", "--json", ...args], { cwd: folder })
const reportOf = (stdout: string) => JSON.parse(stdout) as RunReport

/** Runs until the question is asked for the n-th time, and kills the process then. */
function killAt(folder: string, question: string, n: number) {
  return runCli(["run", "--no-html"], {
    cwd: folder,
    started(child) {
      onAsked = (text, times) => {
        if (text === question && times === n) child.kill("SIGKILL")
      }
    },
  })
}

describe("a process that is killed", () => {
  it("leaves the cost of an attempt that was paid for and was being tried again", { skip: !isNightly }, async () => {
    const folder = project(3)
    way = (question) => (question === "a text 1" ? costlyThenSilent : answer)
    const killed = await killAt(folder, "a text 1", 1)
    expect(killed.signal).toBe("SIGKILL")
    const { code, stdout } = await run(folder, "--resume")
    expect(code).toBe(0)
    const [variant] = reportOf(stdout).variants
    expect(variant).toMatchObject({ outcomes: { ok: 3 }, retries: 1 })
    expect(figureValue(variant!.cost.totalUsd)).toBeCloseTo((1000 + 3 * 5) / 1e6, 12)
    expect(figureValue(variant!.cost.failedUsd)).toBeCloseTo(1000 / 1e6, 12)
  })

  it("leaves the cost of a judge's attempt, too", { skip: !isNightly }, async () => {
    const folder = project(3)
    way = (question) => (question === "judge text 1" ? costlyThenSilent : answer)
    await killAt(folder, "judge text 1", 1)
    const { stdout } = await run(folder, "--resume")
    const { judgeUsd } = reportOf(stdout).variants[0]!.cost
    expect(judgeUsd).toMatchObject({ status: "known", n: 3 })
    expect(figureValue(judgeUsd)).toBeCloseTo((1000 + 3 * 5) / 1e6, 12)
  })

  it("counts for a budget and in the figures of a run that is resumed: attempts without an answer, too", {
    skip: !isNightly,
  }, async () => {
    const folder = project(3)
    way = (question) => (question.endsWith("1") ? costlyThenSilent : answer)
    await killAt(folder, "a text 1", 1)
    const before = asked.get("a text 1")
    const { code, stdout, stderr } = await run(folder, "--resume", "--budget", "900 tokens")
    expect(code).toBe(5)
    expect(stderr).toMatch(/budget of 900 tokens is spent/)
    expect(asked.get("a text 1")).toBe(before)
    // It has no answer yet, and was paid for.
    expect(figureValue(reportOf(stdout).variants[0]!.cost.failedUsd)).toBeCloseTo(1000 / 1e6, 12)
  })

  it("leaves the time that it worked", { skip: !isNightly }, async () => {
    const folder = project(1)
    way = () => () => {}
    await runCli(["run", "--no-html"], {
      cwd: folder,
      started: (child) => {
        onAsked = () => setTimeout(() => child.kill("SIGKILL"), 2500)
      },
    })
    onAsked = () => {}
    way = () => answer
    const late = await run(folder, "--resume", "--budget", "0.02min")
    expect(late.stderr).toMatch(/budget of 0.02 minutes is over/)
    expect(asked.get("a text 0")).toBe(1)
    const { stdout } = await run(folder, "--resume")
    expect(reportOf(stdout).run.durationMs).toBeGreaterThan(1500)
  })
})

describe("a second interruption", () => {
  it("ends the command at once, and the run goes on from what was saved", { skip: !isNightly }, async () => {
    const folder = project(3)
    way = (question) => (question === "a text 1" ? () => {} : answer)
    const ended = await runCli(["run", "--no-html"], {
      cwd: folder,
      started(child) {
        onAsked = (question) => {
          if (question !== "a text 1") return
          child.kill("SIGINT")
          setTimeout(() => child.kill("SIGINT"), 300)
        }
      },
    })
    expect(ended.signal).toBe("SIGINT")
    onAsked = () => {}
    way = () => answer
    const { code, stdout } = await run(folder, "--resume")
    expect(code).toBe(0)
    expect(reportOf(stdout).variants[0]).toMatchObject({ outcomes: { ok: 3 } })
    expect([asked.get("a text 0"), asked.get("a text 1"), asked.get("a text 2")]).toEqual([1, 2, 1])
  })
})

describe("a service that is cold", () => {
  const slowAtFirst = () => {
    let first = true
    way = () => async (response, n) => {
      const wait = first ? 800 : 5
      first = false
      await new Promise((resolve) => setTimeout(resolve, wait))
      answer(response, n)
    }
  }

  it("has its first answers apart from every latency, counted and named", async () => {
    slowAtFirst()
    const { stdout } = await run(project(20, 2))
    const { variants, checks } = reportOf(stdout)
    const { speed } = variants[0]!
    expect(speed.cold).toBeGreaterThanOrEqual(1)
    expect(speed.cold).toBeLessThanOrEqual(2)
    expect(speed.measured).toBe(20 - speed.cold!)
    expect(figureValue(speed.ttftMs.p99)).toBeLessThan(700)
    expect(checks.find(({ name }) => name === "latencies are those of a warm service")).toMatchObject({
      status: "passed",
      message: expect.stringMatching(/left out of every latency and gain: [12] of a/),
    })
  })

  it("counts all the same where there are no other answers, and says so", { skip: !isNightly }, async () => {
    slowAtFirst()
    const { stdout } = await run(project(1))
    const { variants, checks } = reportOf(stdout)
    expect(variants[0]?.speed).toMatchObject({ measured: 1, coldCounted: 1 })
    expect(figureValue(variants[0]!.speed.ttftMs.p50)).toBeGreaterThan(700)
    expect(checks.find(({ name }) => name === "latencies are those of a warm service")).toMatchObject({
      status: "unknown",
      message: expect.stringContaining("count all the same where there are no others: 1 of a"),
    })
  })
})
