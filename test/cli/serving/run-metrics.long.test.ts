import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { runCli } from "../../support/cli.ts"
import { serveLoopback, startChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A server that keeps vLLM's counters over what it really did, by its own clock; `lieMs` is added to each queue time that it states. */
interface Truth {
  requests: number
  queueSeconds: number
  prefillSeconds: number
  decodeSeconds: number
}
let lieMs = 0
let others = 0
let metricsAsked = 0
const truth: Truth = { requests: 0, queueSeconds: 0, prefillSeconds: 0, decodeSeconds: 0 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const server = await serveLoopback(async (request, response) => {
  if (request.url === "/metrics") {
    metricsAsked++
    return response.end(page())
  }
  if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"m"}]}')
  const seconds = () => performance.now() / 1000
  const began = seconds()
  await pause(6)
  const dequeued = seconds()
  await pause(9)
  const prefilled = seconds()
  const chat = startChat(response)
  chat.delta({ role: "assistant", content: "yes" })
  await pause(5)
  const decoded = seconds()
  chat.delta({ content: "." })
  chat.delta({}, "stop")
  truth.requests++
  truth.queueSeconds += dequeued - began + lieMs / 1000
  truth.prefillSeconds += prefilled - dequeued
  truth.decodeSeconds += decoded - prefilled
  chat.event({
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    metrics: {
      queue_time_ms: (dequeued - began) * 1000,
      time_to_first_token_ms: (prefilled - dequeued) * 1000,
      generation_time_ms: (decoded - prefilled) * 1000,
    },
  })
  response.end("data: [DONE]\n\n")
})
const origin = server.origin

function page(): string {
  const { requests, queueSeconds, prefillSeconds, decodeSeconds } = truth
  const count = requests + others
  return `vllm:num_requests_running{model_name="m"} 2
vllm:num_requests_waiting 1
vllm:kv_cache_usage_perc 0.5
vllm:request_success_total{finished_reason="stop"} ${count}
vllm:prefix_cache_queries_total ${requests * 8}
vllm:prefix_cache_hits_total ${requests * 6}
vllm:spec_decode_num_draft_tokens_total ${requests * 4}
vllm:spec_decode_num_accepted_tokens_total ${requests * 3}
vllm:num_preemptions_total ${requests}
vllm:request_queue_time_seconds_sum ${queueSeconds}
vllm:request_queue_time_seconds_count ${count}
vllm:request_prefill_time_seconds_sum ${prefillSeconds}
vllm:request_prefill_time_seconds_count ${count}
vllm:request_decode_time_seconds_sum ${decodeSeconds}
vllm:request_decode_time_seconds_count ${count}
`
}

async function reported(where = origin, stated = "") {
  const folder = scratchDirectory()
  writeFileSync(
    join(folder, "data.jsonl"),
    Array.from(
      { length: 8 },
      (_, i) => `${JSON.stringify({ id: `s${i}`, input: `text ${i}`, reference: "yes." })}\n`,
    ).join(""),
  )
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, openai, variant } from "evalkit"
const at = openai({ model: "m", baseUrl: "${where}/v1", apiKeyVariable: null${stated} })
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [variant({ name: "cold", provider: at, parameters: { temperature: 0 } }), variant({ name: "warm", provider: at, parameters: { temperature: 1 } })],
  metrics: [exactMatch()],
  concurrency: 2,
})
`,
  )
  const before = { ...truth }
  const { stdout, stderr, code } = await runCli(["run", "--no-html", "--json"], { cwd: folder })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const report = JSON.parse(stdout) as RunReport
  const table = (topic: string) => {
    const result = report.sections.find((section) => "topic" in section && section.topic === topic)
    if (!result) return null
    const { columns, rows } = result.data as unknown as {
      columns: { title: string }[]
      rows: (string | number | Figure)[][]
    }
    const cells = rows.map((row) =>
      Object.fromEntries(
        columns.map(({ title }, at) => {
          const cell = row[at]
          return [title, typeof cell === "object" ? (cell.status === "known" ? cell.value : null) : cell]
        }),
      ),
    )
    return { rows: cells as Record<string, number>[], sentences: result.sentences ?? [] }
  }
  return { report, table, folder, before }
}

describe("a run beside its server's own metrics", () => {
  it("splits the time to the first token of each variant by the server's truth, and says how busy it was", async () => {
    const { table, folder, before } = await reported()
    const times = table("server_metrics")
    expect(times?.rows).toHaveLength(2)
    const asked = times?.rows.reduce((sum, row) => sum + (row.requests ?? 0), 0) ?? 0
    // The first call of the variants comes before their turns.
    expect(truth.requests - before.requests - asked).toBeLessThanOrEqual(2)
    for (const row of times?.rows ?? []) {
      expect(row.queue).toBeGreaterThan(5)
      expect(row.prefill).toBeGreaterThan(8)
      expect(row["network and other"]).toBeGreaterThanOrEqual(0)
      const sum = (row.queue ?? 0) + (row.prefill ?? 0) + (row["network and other"] ?? 0)
      expect(sum).toBeCloseTo(row["first token, client"] ?? 0, 9)
    }
    expect(times?.sentences.join(" ")).not.toContain("disagree")
    expect(times?.sentences.join(" ")).not.toContain("served others")
    for (const row of table("server_state")?.rows ?? [])
      expect(row).toMatchObject({
        running: 2,
        waiting: 1,
        "KV cache": 0.5,
        "prefix cache hits": 0.75,
        "draft acceptance rate": 0.75,
      })

    const { id } = JSON.parse((await runCli(["runs", "--json"], { cwd: folder })).stdout)[0]
    const result = await runCli(["show", id, "s0"], { cwd: folder })
    // Its decode time ends behind the last text, which the client may have had a moment before.
    expect(result.stdout).toMatch(
      /server {3}queue [\d.]+ ms · prefill [\d.]+ ms · decode(?: with the token that ends it)? [\d.]+ ms · rest of the first token \(network\)/,
    )
    const rows = await runCli(["export", id, "--format", "answers-csv", "--out", "answers.csv"], { cwd: folder })
    expect(rows.code).toBe(0)
  })

  it("says where the server's own figures cannot be true together with the client's stamps", async () => {
    lieMs = 60_000
    const { table } = await reported()
    lieMs = 0
    expect(table("server_metrics")?.sentences.join(" ")).toMatch(
      /cold: client and server disagree: the first token came \d+ ms before the server says that it had read the prompt/,
    )
    expect(table("server_metrics")?.rows[0]?.["network and other"]).toBeLessThan(-50_000)
  })

  it("says that the server served others, and then splits nothing", async () => {
    const timer = setInterval(() => others++, 5)
    const { table } = await reported()
    clearInterval(timer)
    expect(table("server_metrics")?.sentences.join(" ")).toContain("it served others meanwhile")
    expect(table("server_metrics")?.rows[0]?.["network and other"]).toBeNull()
  })

  it("asks a server for its metrics at the address that the config states", async () => {
    const asked = metricsAsked
    const { table } = await reported(origin, `, metricsUrl: "${origin}/metrics"`)
    expect(table("server_metrics")?.rows).toHaveLength(2)
    expect(metricsAsked).toBeGreaterThan(asked)
  })
})
