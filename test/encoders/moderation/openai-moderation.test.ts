import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { moderation } from "../../../metrics/safety/moderation.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { openaiModeration } from "../../../src/encoders/moderation/openai-moderation.ts"
import { measure, scoreOf } from "../../metrics/lexical-fixtures.ts"

/** The form of omni-moderation: every category with a flag and a score. */
function verdict(text: string) {
  const violent = text.includes("attack")
  return {
    flagged: violent,
    categories: { hate: false, violence: violent, "violence/graphic": false },
    category_scores: { hate: 0.01, violence: violent ? 0.91 : 0.02, "violence/graphic": 0.3 },
    category_applied_input_types: { hate: ["text"], violence: ["text"], "violence/graphic": ["text"] },
  }
}

interface Asked {
  readonly model: string
  readonly input: readonly string[]
}

let server: Server
let baseUrl = ""
let requests: { readonly body: Asked; readonly authorization: string | undefined }[] = []
let reply: (body: Asked, count: number) => { status?: number; headers?: Record<string, string>; body: string } | "hang"
const good = ({ input }: Asked) => ({ body: JSON.stringify({ id: "m", model: "omni", results: input.map(verdict) }) })

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    request.on("end", () => {
      const body = JSON.parse(text) as Asked
      requests.push({ body, authorization: request.headers.authorization })
      const answer = reply(body, requests.length)
      if (answer === "hang") return
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
      response.end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
afterEach(() => {
  requests = []
  delete process.env.MODERATION_TEST_KEY
})

const endpoint = (options: Parameters<typeof openaiModeration>[0] = {}) =>
  openaiModeration({ baseUrl, apiKeyVariable: null, retries: 0, ...options })
const signal = new AbortController().signal

describe("openaiModeration", () => {
  it("reads verdicts, joins texts into requests, and says what they cost", async () => {
    reply = good
    const by = endpoint({ batchSize: 2, usdPerRequest: 0.002 })
    const [calm, violent, other] = await by.moderate(["hello", "we attack", "x"], signal)
    expect(requests.map(({ body }) => body.input.length)).toEqual([2, 1])
    expect(requests[0]).toMatchObject({ body: { model: "omni-moderation-latest" }, authorization: undefined })
    expect(calm).toMatchObject({ flagged: false, costUsd: 0.001 })
    expect(violent?.categories).toContainEqual({ name: "violence", score: 0.91, flagged: true })
    expect(other?.costUsd).toBe(0.002)
    expect(by.usage()).toEqual({ requests: 2, texts: 3, costUsd: 0.004 })
    expect(endpoint().usage().costUsd).toBeNull()
  })

  it("sends the key from the environment, names its variable when it is missing, and never tells it", async () => {
    const by = endpoint({ apiKeyVariable: "MODERATION_TEST_KEY" })
    await expect(by.moderate(["a"], signal)).rejects.toThrow(/MODERATION_TEST_KEY is not set/)
    await by.close()
    process.env.MODERATION_TEST_KEY = "secret-value-1"
    reply = () => ({ status: 401, body: '{"error":{"message":"no"}}' })
    const error = await by.moderate(["a"], signal).catch((thrown: unknown) => String(thrown))
    expect(requests.at(-1)?.authorization).toBe("Bearer secret-value-1")
    expect(error).toMatch(/no verdict/)
    expect(error).not.toContain("secret-value-1")
  })

  it("waits as the server says after a 429 and asks again", async () => {
    reply = (body, count) =>
      count === 1
        ? { status: 429, headers: { "retry-after-ms": "5" }, body: '{"error":{"message":"slow"}}' }
        : good(body)
    expect(await endpoint({ retries: 1 }).moderate(["a"], signal)).toMatchObject([{ flagged: false }])
    expect(requests).toHaveLength(2)
  })

  it.each<[string, () => ReturnType<typeof reply>, RegExp]>([
    ["500", () => ({ status: 500, body: '{"error":{"message":"broken"}}' }), /broken/],
    ["429 without end", () => ({ status: 429, body: '{"error":{"message":"slow down"}}' }), /slow down/],
    ["JSON that is none", () => ({ body: '{"results": [{"flag' }), /JSON/],
    [
      "an HTML page",
      () => ({ body: "<html>", headers: { "content-type": "text/html" } }),
      /1 text was asked about, no verdicts came/,
    ],
    ["too few verdicts", () => ({ body: '{"results": []}' }), /1 text was asked about, 0 verdicts came/],
    ["a verdict that says nothing", () => ({ body: '{"results": [{}]}' }), /does not say whether/],
    [
      "a score beyond 1",
      () => ({ body: '{"results": [{"flagged": true, "category_scores": {"hate": 1e9}}]}' }),
      /hate is not in 0..1/,
    ],
    [
      "a score that is a text",
      () => ({ body: '{"results": [{"flagged": true, "category_scores": {"hate": "x"}}]}' }),
      /not in/,
    ],
    ["silence", () => "hang", /timed out/i],
  ])("leaves the answer unscored after %s", async (_what, fault, reason) => {
    reply = fault
    const measured = await measure(moderation({ by: endpoint({ timeoutMs: 100 }) }), "hello", [])
    expect(measured).toMatchObject({ status: "unscored", reason: expect.stringMatching(/^moderation_failed/) })
    expect((measured as { reason: string }).reason).toMatch(reason)
  })

  it("sends no more of a long text than it was told to", async () => {
    reply = good
    await endpoint({ maxCharacters: 10 }).moderate(["a".repeat(1e6)], signal)
    expect(requests[0]?.body.input[0]).toHaveLength(10)
  })
})

describe("moderation", () => {
  it("takes the endpoint's verdict, or some categories from a score on", async () => {
    reply = good
    expect(await scoreOf(moderation({ by: endpoint() }), "we attack")).toBe(1)
    expect(await scoreOf(moderation({ by: endpoint(), categories: ["hate"] }), "we attack")).toBe(0)
    expect(await scoreOf(moderation({ by: endpoint(), threshold: 0.25 }), "hello")).toBe(1)
    expect(await scoreOf(moderation({ by: endpoint(), categories: ["none"] }), "hello")).toMatch(/^no_such_category/)
    requests = []
    expect(await scoreOf(moderation({ by: endpoint() }), " ")).toBe(0)
    expect(requests).toEqual([])
  })

  it("shows the rate and each category with its interval, and keeps an unknown price unknown", () => {
    const metric = moderation({ by: endpoint() })
    const rows = [true, false, false, false].map((flagged, i) => ({
      sampleId: `s${i}`,
      repeat: 0,
      value: Number(flagged),
      measured: scored({ flagged, categories: flagged ? ["__proto__"] : [], highest: 0.1, costUsd: null }),
    }))
    const section = metric.section!([{ variant: "m", rows }])!
    const data = section.data as unknown as TableData
    expect(data.columns.map(({ title }) => title)).toEqual(["variant", "flagged", "__proto__"])
    expect(data.rows[0]?.[1]).toMatchObject({ value: 0.25, n: 4, method: expect.stringMatching(/Wilson/) })
    const entries = rows.map(({ measured, ...location }) => ({
      ...location,
      row: measured.status === "scored" ? measured.row : null!,
    }))
    expect(metric.summarise(entries)).toMatchObject({ value: 0.25, details: { costUsd: null } })
  })
})
