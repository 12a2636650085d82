import type { ChildProcess } from "node:child_process"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { unsupportedClaims } from "../../metrics/hallucination/claims.ts"
import type { DetectorRow } from "../../metrics/hallucination/detector-row.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { Provider } from "../../src/core/provider.ts"
import type { TableData } from "../../src/core/report/report-sections.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { openai } from "../../src/providers/openai.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { runCli } from "../support/cli.ts"
import { chunkEvent, type Fault, type FaultServer, startFaultServer } from "../support/fault-server.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { testPrice } from "../support/test-price.ts"

const directory = scratchDirectory()

const context = ["Ada Lovelace was born in London in 1815. She wrote the first program."]
const samples = [
  { id: "sound", input: "Who was Ada?", context, label: false, group: "a" },
  { id: "invented", input: "Who was Ada?", context, label: true, group: "b" },
]
const answers = [
  { id: "sound", text: "Ada was born in London.", usage: { completionTokens: 10 } },
  { id: "invented", text: "Ada was born in London. She died in Rome.", usage: { completionTokens: 20 } },
]
const price = testPrice(1, 2)

/** Runs recorded answers under the detector, whose model is served at the address. */
async function checkedBy(name: string, provider: Provider, timeouts: object = {}) {
  const store = openRunStore(`${directory}/${name}`)
  try {
    const evaluation = await validateConfig({
      name,
      dataset: inline(samples),
      variants: [{ name: "answers", provider: recorded(answers) }],
      metrics: [unsupportedClaims({ provider, parameters: { maxTokens: 200 } })],
      retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 2 },
      timeouts: { connectMs: 2000, firstTokenMs: 20_000, gapMs: 20_000, totalMs: 40_000, ...timeouts },
    })
    const { report, status } = await evaluate({
      evaluation,
      store,
      clock: systemClock,
      environment: {},
      cacheDirectory: directory,
      facts: { id: name, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
      signal: new AbortController().signal,
    })
    expect(status).toBe("finished")
    return { report, rows: [...store.rows(report.run.id, "answers", "unsupportedClaims")] }
  } finally {
    store.close()
  }
}

const rowOf = (row: StoredRow | undefined) =>
  row?.measured.status === "scored" ? (row.measured.row as DetectorRow) : null
const at = (baseUrl: string, model = "checker") => openai({ model, baseUrl, apiKeyVariable: null, price })

describe("the claim detector against recorded replies of a judge", () => {
  let server: Server
  let baseUrl = ""
  /** What the judge said of each answer, in pieces as it streamed them. */
  const replies: Readonly<Record<string, readonly string[]>> = {
    sound: ['{"claims": [{"sentence": 1, "claim": "Ada was born ', 'in London", "supported": true}]}'],
    invented: [
      'Here are the claims:\n```json\n{"claims": [{"sentence": 1, "claim": "Born in London", "supported": true},',
      ' {"sentence": 2, "claim": "Died in Rome", "supported": false}]}\n```',
    ],
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text
      })
      request.on("end", () => {
        const pieces = replies[body.includes("Rome") ? "invented" : "sound"] ?? []
        response.writeHead(200, { "content-type": "text/event-stream" })
        for (const content of pieces) response.write(chunkEvent({ content }))
        const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50 } }
        response.end(`${chunkEvent({}, "stop")}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  it("marks the unsupported sentence, measures itself by the labels and records its cost", async () => {
    const { report, rows } = await checkedBy("good", at(baseUrl))
    const byId = new Map(rows.map((row) => [row.sampleId, row]))
    expect(rowOf(byId.get("sound"))).toMatchObject({ score: 0, checked: 1, flagged: false, offences: [] })
    expect(rowOf(byId.get("invented"))).toMatchObject({
      score: 0.5,
      checked: 2,
      unsupported: 1,
      flagged: true,
      offences: [{ text: "She died in Rome.", start: 24, reason: "not supported: Died in Rome" }],
    })
    const section = report.sections.find(({ kind }) => kind === "hallucination")!
    const { rows: table } = section.data as unknown as TableData
    expect(table[0]).toMatchObject([
      "answers",
      "all",
      { value: 0.5, n: 2 },
      { value: 1000 / 30 },
      3,
      { value: 1 },
      { value: 1 },
      1,
    ])
    expect(section.sentences.join(" ")).toMatch(/Cost: one call of checker per answer\. Blind spot: it knows no more/)
    // Two calls of 100 tokens in and 50 out.
    expect(report.variants[0]?.cost.judgeUsd).toMatchObject({ value: expect.closeTo(2 * 200e-6, 12) })
  })
})

describe("the claim detector against a judge that fails", () => {
  const faults: readonly [Fault, RegExp][] = [
    ["notJsonAnswer", /^claims_unparseable/],
    ["emptyAnswer", /^claims_(failed|unparseable)/],
    ["malformed", /^claims_(failed|unparseable)/],
    ["cut", /^claims_failed: truncated/],
    ["cutInsideEvent", /^claims_failed: (truncated|malformed)/],
    ["rateLimited", /^claims_failed: rate_limited/],
    ["serverError", /^claims_failed: http_5xx/],
    ["reset", /^claims_failed: connection/],
    ["hangBeforeHeaders", /^claims_failed: timeout_first_token/],
    ["hangInside", /^claims_failed: timeout_gap/],
    ["refusal", /^claims_failed: refused/],
    ["length", /^claims_unparseable/],
  ]
  const servers: FaultServer[] = []
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  it.each(faults)(
    "leaves every answer unscored after %s, with the reason, and finishes the run",
    async (fault, reason) => {
      const server = await startFaultServer()
      servers.push(server)
      const timeouts = { firstTokenMs: 300, gapMs: 300, totalMs: 1000 }
      const { report, rows } = await checkedBy(fault, at(server.url(fault), fault), timeouts)
      expect(rows).toHaveLength(2)
      for (const { measured } of rows)
        expect(measured).toMatchObject({ status: "unscored", reason: expect.stringMatching(reason) })
      expect(report.variants[0]?.quality[0]).toMatchObject({ scored: 0, total: 2, figure: { status: "unknown" } })
    },
  )
})

describe("the claim detector against `evalkit serve`", () => {
  let child: ChildProcess | undefined
  let ended: Promise<unknown> | undefined
  let baseUrl = ""
  const model = fileURLToPath(new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url))

  beforeAll(async () => {
    baseUrl = await new Promise<string>((resolve, reject) => {
      ended = runCli(["serve", model, "--port", "0", "--context-size", "2048", "--json"], {
        cwd: directory,
        started(process) {
          child = process
          process.stdout?.on("data", (text: string) => {
            const line = text.split("\n").find((name) => name.startsWith("{"))
            if (line) resolve((JSON.parse(line) as { baseUrl: string }).baseUrl)
          })
        },
      })
      ended.then((result) => reject(new Error(JSON.stringify(result))), reject)
    })
  })
  afterAll(async () => {
    child?.kill("SIGTERM")
    await ended
  })

  it("scores or gives a reason for every answer, whatever a tiny model replies as a judge", async () => {
    const { rows } = await checkedBy("served", at(baseUrl, "tiny-s-f16"))
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      const result = rowOf(row)
      if (result) {
        expect(result.score).toBeGreaterThanOrEqual(0)
        expect(result.unsupported).toBeLessThanOrEqual(result.checked)
      } else expect(row.measured).toMatchObject({ reason: expect.stringMatching(/^claims_(failed|unparseable)/) })
    }
    console.info("tiny-s as the judge of claims:", rows.map(({ measured }) => JSON.stringify(measured)).join("\n"))
  }, 60_000)
})
