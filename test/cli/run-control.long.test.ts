import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { callCli } from "../support/call-cli.ts"
import { runCli } from "../support/cli.ts"
import { serveLoopback, streamChat } from "../support/loopback.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A chat endpoint that knows one key, and says how often each model was asked. */
let asked: string[] = []
let failing = new Set<string>()

const server = await serveLoopback((request, response, body) => {
  if (request.method === "GET") return response.end("{}")
  if (request.url?.endsWith("/embeddings")) {
    const { input } = JSON.parse(body) as { input: string[] }
    asked.push(`embeddings/${input.length}`)
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1] }))
    response.setHeader("content-type", "application/json")
    return response.end(JSON.stringify({ object: "list", data, usage: { prompt_tokens: 7, total_tokens: 7 } }))
  }
  const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
  const text = messages.at(-1)?.content ?? ""
  asked.push(`${model}/${text}`)
  const refuse = (status: number, message: string) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify({ error: { message, code: "refused" } }))
  }
  if (request.headers.authorization !== "Bearer right") return refuse(401, "Incorrect API key provided")
  if (failing.has(text)) return refuse(500, "overloaded for a moment")
  const answer = model === "judge" ? '{"reason":"as asked","choice":"yes"}' : text
  streamChat(response, answer, 1, 4, model)
})
const baseUrl = server.url
beforeEach(() => {
  asked = []
  failing = new Set()
})

function project(samples: number, more = "", imports = "", metrics = "exactMatch()"): string {
  const folder = scratchDirectory()
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { ${imports}dataset, defineConfig, exactMatch, openai, variant } from "evalkit"
const at = (model: string) => openai({ model, baseUrl: "${baseUrl}", apiKeyVariable: "ECHO_KEY" })
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [variant({ name: "hosted", provider: at("echo") })],
  metrics: [${metrics}],
  concurrency: 2,
  ${more}
})
`,
  )
  return folder
}

const run = (folder: string, args: readonly string[], key = "right") =>
  callCli(["run", "--no-html", ...args], { cwd: folder, environment: { ECHO_KEY: key } })

const reportOf = (stdout: string) => JSON.parse(stdout) as RunReport

describe("a run whose every request is refused", () => {
  it("stops after a few, says so in the service's words everywhere, and exits with 5", async () => {
    const folder = project(40)
    const refused = await run(folder, [], "wrong")
    expect(refused.code).toBe(5)
    expect(asked.length).toBeLessThanOrEqual(5)
    for (const text of [refused.stdout, refused.stderr]) expect(text).toContain("Incorrect API key provided")
    for (const format of ["md", "json", "html"]) {
      await callCli(["report", "--format", format, "--output", `r.${format}`], { cwd: folder })
      expect(readFileSync(join(folder, `r.${format}`), "utf8")).toContain("Incorrect API key provided")
    }
  })

  it("is asked again in full once the key is right, failed calls too", async () => {
    const folder = project(12)
    await run(folder, [], "wrong")
    asked = []
    const resumed = await run(folder, ["--resume", "--json"])
    expect(resumed.code).toBe(0)
    expect(asked).toHaveLength(12)
    expect(reportOf(resumed.stdout).variants[0]).toMatchObject({ finished: 12, outcomes: { ok: 12 }, failure: null })
  })
})

describe("calls that failed", () => {
  it("are asked again on resume, the failed attempts kept; what was answered is not", async () => {
    const folder = project(10, "retry: false,")
    failing = new Set(["text 3", "text 7"])
    const first = await run(folder, ["--json"])
    expect(reportOf(first.stdout).variants[0]?.outcomes).toEqual({ ok: 8, http_5xx: 2 })
    failing = new Set()
    asked = []
    const kept = await run(folder, ["--resume", "--retry-failed", "timeout_total"])
    expect(kept.code).toBe(0)
    expect(asked).toEqual([])
    const second = await run(folder, ["--resume", "--json"])
    expect(asked.toSorted()).toEqual(["echo/text 3", "echo/text 7"])
    const { variants } = reportOf(second.stdout)
    expect(variants[0]).toMatchObject({ outcomes: { ok: 10 }, retries: 2 })
    expect(variants[0]?.quality[0]).toMatchObject({ scored: 10, total: 10 })
  })

  it("cannot be chosen without a run to resume", async () => {
    const result = await run(project(1), ["--retry-failed", "http_5xx"])
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("--retry-failed needs --resume") })
  })
})

describe("a run of a part of its config", () => {
  it("goes on by the command that it advises, with the part that it was started with", async () => {
    const folder = project(
      30,
      'variants: ["first", "second", "third"].map((name) => variant({ name, provider: at(name) })),',
    )
    const part = ["--variant", "second", "--variant", "third", "--limit", "20", "--seed", "7", "--repeats", "2"]
    const stopped = await run(folder, [...part, "--budget", "9requests"])
    expect(stopped.code).toBe(5)
    const [, advised = ""] = /run (--resume \w+)/.exec(stopped.stdout) ?? []
    const resumed = await run(folder, [...advised.split(" "), "--json"])
    expect(resumed.stderr).toContain(
      "goes on as it was started: --variant second --variant third --seed 7 --repeats 2 --limit 20",
    )
    expect(asked).toHaveLength(80)
    expect(reportOf(resumed.stdout).variants.map(({ name, finished }) => [name, finished])).toEqual([
      ["second", 40],
      ["third", 40],
    ])
    // What this command line says stays: another seed is another plan.
    expect(await run(folder, [...advised.split(" "), "--seed", "8"])).toMatchObject({ code: 2 })
  })

  it("is what --resume without a run goes on with, where it is the newest that has not finished", async () => {
    const folder = project(30)
    const older = await run(folder, ["--budget", "4requests", "--json"])
    const newer = await run(folder, ["--limit", "10", "--budget", "3requests", "--json"])
    const finished = await run(folder, ["--limit", "6", "--json"])
    const idOf = ({ stdout }: { readonly stdout: string }) => reportOf(stdout).run.id
    expect(finished.code).toBe(0)

    const first = await run(folder, ["--resume", "--json"])
    const words = "the newest of this config that has not finished: started"
    expect(first.stderr).toMatch(
      new RegExp(`goes on with run ${idOf(newer)}, ${words} 20.*, \\d of 10 answers are there`),
    )
    expect(first.stderr).toContain(`run ${idOf(newer)} goes on as it was started: --limit 10`)
    expect([idOf(first), reportOf(first.stdout).variants[0]?.finished]).toEqual([idOf(newer), 10])

    // What this command line says itself, a run must have.
    await run(folder, ["--limit", "12", "--budget", "3requests"])
    const chosen = await run(folder, ["--resume", "--limit", "30", "--json"])
    expect([idOf(chosen), reportOf(chosen.stdout).variants[0]?.finished]).toEqual([idOf(older), 30])
  }, 120_000)
})

describe("a run of a share, of a part or until it is decided", () => {
  const two = 'variants: ["first", "second"].map((name) => variant({ name, provider: at(name) })), margin: 0.2,'
  const begin = async (folder: string, part: readonly string[]): Promise<string> => {
    const stopped = await run(folder, [...part, "--budget", "6requests", "--json"])
    expect(stopped.code).toBe(5)
    return reportOf(stopped.stdout).run.id
  }

  it("asks no call on resume that it was not started for", async () => {
    const folder = project(200, two)
    const id = await begin(folder, ["--canary", "10%"])
    const other = await begin(folder, ["--shard", "2/4"])
    const third = await begin(folder, ["--until", "decided"])

    asked = []
    const until = await run(folder, ["--resume", "--json"])
    expect(until.stderr).toContain(`run ${third} goes on as it was started: --until decided`)
    expect(until.code).toBe(0)
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.length).toBeLessThan(300)

    asked = []
    const shard = await run(folder, ["--resume", "--json"])
    expect(shard.stderr).toContain(`run ${other} goes on as it was started: --shard 2/4`)
    expect(asked).toHaveLength(100 - 6)

    asked = []
    const canary = await run(folder, ["--resume", id, "--json"])
    expect(canary.stderr).toContain(`run ${id} goes on as it was started: --canary 0.1`)
    const { variants, dataset } = reportOf(canary.stdout)
    expect(variants.map(({ finished }) => finished)).toEqual([dataset.samples, dataset.samples])
    expect(dataset.samples).toBeLessThan(60)
    expect(asked).toHaveLength(2 * dataset.samples - 6)
  }, 120_000)

  it("goes on with the part that the command line names", async () => {
    const folder = project(40)
    const ids: string[] = []
    for (const shard of ["1/4", "2/4"]) ids.push(await begin(folder, ["--shard", shard]))
    const first = await run(folder, ["--resume", "--shard", "1/4", "--json"])
    expect(reportOf(first.stdout).run.id).toBe(ids[0])
    expect(await run(folder, ["--resume", "--shard", "3/4"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no run of this plan to resume"),
    })
    expect(await run(folder, ["--resume", ids[1] as string, "--until", "decided"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--until and --shard do not go together"),
    })
  }, 120_000)
})

describe("a budget of requests", () => {
  it("holds over several processes, and counts each retry", async () => {
    const folder = project(60, "retry: { retries: 2, baseDelayMs: 1 },")
    failing = new Set(Array.from({ length: 60 }, (_, i) => `text ${i}`).filter((_, i) => i % 10 === 0))
    for (let process = 0; process < 3; process++) {
      const args = ["run", "--no-html", "--budget", "25requests", ...(process > 0 ? ["--resume"] : [])]
      const result = await runCli(args, { cwd: folder, environment: { ECHO_KEY: "right" } })
      expect(result.code).toBe(5)
    }
    expect(asked.length).toBeLessThanOrEqual(25)
    expect(asked.length).toBeGreaterThan(20)
  })
})

describe("the calls of a judge", () => {
  const judged = `rubric({ provider: at("judge"), rubric: rubrics.yesOrNo })`

  it("are stored with their cost before they count, and equal ones are made once", async () => {
    const folder = project(6, "", "rubric, rubrics, ", judged)
    const { stdout, stderr } = await run(folder, ["--json"])
    expect(stderr).not.toContain("evalkit: ")
    expect(reportOf(stdout).variants[0]?.quality[0]).toMatchObject({ scored: 6 })
    const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
    const calls = [...store.modelCalls(store.runs()[0]?.id ?? "")]
    expect(calls).toHaveLength(asked.filter((text) => text.startsWith("judge/")).length)
    for (const call of calls) expect(call).toMatchObject({ variant: "hosted", requests: 1, tokens: 5 })
    store.close()
  })
})

describe("a service that a metric pays for", () => {
  it("has each request on record with its cost", async () => {
    const price = `{ kind: "tokens", inputPerMillion: 1, outputPerMillion: 0, cachedInputPerMillion: null, source: "test", date: "2026-01-01" }`
    const embedder = `openaiEmbeddings({ model: "e", baseUrl: "${baseUrl}", apiKeyVariable: "ECHO_KEY", price: ${price} })`
    const folder = project(
      3,
      "",
      "embeddingSimilarity, openaiEmbeddings, ",
      `embeddingSimilarity({ embedder: ${embedder} })`,
    )
    const { code, stdout } = await run(folder, ["--json"])
    expect(code).toBe(0)
    const requests = asked.filter((text) => text.startsWith("embeddings/")).length
    expect(reportOf(stdout).variants[0]?.cost.judgeUsd).toMatchObject({ value: (7 * requests) / 1e6, n: requests })
  })
})

describe("a metric that misbehaves", () => {
  it("leaves its answers unscored with the cause, and the run finishes", async () => {
    const odd = `custom({ name: "odd", measure: (sample) => { if (sample.id === "s1") throw new Error("boom in odd"); return sample.id === "s2" ? Number.NaN : 0.8 } })`
    const folder = project(4, "", "custom, ", `exactMatch(), ${odd}`)
    const { code, stdout, stderr } = await run(folder, ["--json"])
    expect(stderr).not.toContain("    at ")
    expect(code).toBe(0)
    const quality = reportOf(stdout).variants[0]?.quality.find(({ metric }) => metric === "odd")
    expect(quality).toMatchObject({ scored: 2, figure: { value: 0.8 } })
    expect(Object.keys(quality?.unscored ?? {}).join("\n")).toMatch(/sample s1: boom in odd/)
    expect(Object.keys(quality?.unscored ?? {}).join("\n")).toMatch(/sample s2: its value is NaN/)
  })
})
