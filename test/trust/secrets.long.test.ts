import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** What this process holds, each where a config may put it. */
const secrets = {
  key: "sk-live-Qm4Zt8Wv2Xy6Ab0Cd5Ef",
  header: "gatewaypass-Tr9Kd2Lp7",
  path: "u7Hs3Kq9Vb2Nx5Jm8",
  code: "func/Code+9aZ8bY7cX6==",
  body: "body-secret-4Gt7Yh1Uj",
} as const

/** Every place of an answer where a server could repeat what it was sent. */
const places: Readonly<Record<string, (secret: string, response: ServerResponse) => void>> = {
  text: (secret, response) => stream(response, chunk({ content: `it is ${secret}` }), stop),
  encoded: (secret, response) => stream(response, chunk({ content: encodeURIComponent(secret) }), stop),
  base64: (secret, response) =>
    stream(response, chunk({ content: Buffer.from(`u:${secret}`).toString("base64") }), stop),
  reasoning: (secret, response) => stream(response, chunk({ reasoning_content: secret, content: "x" }), stop),
  finishReason: (secret, response) => stream(response, chunk({ content: "x" }), chunk({}, secret)),
  toolName: (secret, response) => stream(response, chunk({ tool_calls: [tool(secret, "{}")] }), stop),
  toolArguments: (secret, response) =>
    stream(response, chunk({ tool_calls: [tool("f", JSON.stringify({ [secret]: secret }))] }), stop),
  tokens: (secret, response) => {
    const content = [...secret].map((token) => ({ token, logprob: -1, top_logprobs: [{ token, logprob: -1 }] }))
    const choice = { index: 0, delta: { content: secret }, logprobs: { content }, finish_reason: null }
    stream(response, `data: ${JSON.stringify({ choices: [choice] })}\n\n`, stop)
  },
  malformed: (secret, response) => stream(response, `data: ${"x".repeat(190)}${secret} and more\n\n`, stop),
  errorCode: (secret, response) => fail(response, { message: "no", code: secret }),
  errorType: (secret, response) => fail(response, { message: "no", type: secret }),
  errorMessage: (secret, response) => fail(response, { message: `${"no ".repeat(150)}${secret}` }),
  model: (secret, response) => stream(response, chunk({ content: "x" }, null, { model: secret }), stop),
  fingerprint: (secret, response) =>
    stream(response, chunk({ content: "x" }, null, { system_fingerprint: secret }), stop),
  requestId: (secret, response) => {
    response.setHeader("x-request-id", secret)
    stream(response, chunk({ content: "x" }), stop)
  },
  redirect: (secret, response) => void response.writeHead(302, { location: `https://x.example/?k=${secret}` }).end(),
}

let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe("what a server repeats of the secrets that it was sent", () => {
  it("is in no file, no report and no output", async () => {
    const folder = scratchDirectory()
    const samples = Object.keys(places).flatMap((place) =>
      Object.keys(secrets).map((name) => ({ id: `${place}-${name}`, input: `${place} ${name}`, reference: "x" })),
    )
    writeFileSync(join(folder, "data.jsonl"), samples.map((sample) => JSON.stringify(sample)).join("\n"))
    writeFileSync(join(folder, "eval.config.ts"), config)
    const environment = {
      SERVICE_KEY: secrets.key,
      GATEWAY: secrets.header,
      FOLDER: secrets.path,
      FUNCTION_CODE: secrets.code,
      BODY: secrets.body,
      ORIGIN: origin,
    }
    const run = await runCli(["run", "--json"], { cwd: folder, environment })
    expect(run.code, run.stderr).toBe(0)
    const exports = ["html", "markdown", "json", "answers-csv", "jsonl", "junit"]
    const shown = [run]
    for (const format of exports)
      shown.push(
        await runCli(["report", "--format", format, "--out", `report.${format}`], { cwd: folder, environment }),
      )
    shown.push(await runCli(["show"], { cwd: folder, environment }))
    shown.push(await runCli(["export", "--format", "archive", "--out", "archive.jsonl"], { cwd: folder, environment }))
    for (const { code, stderr } of shown) expect(code, stderr).toBe(0)
    const written = allFiles(folder).filter((path) => !path.endsWith("eval.config.ts"))
    expect(written.length).toBeGreaterThan(3)
    const texts = [
      ...written.map((path) => [path, readFileSync(path).toString("latin1")] as const),
      ...shown.map(({ stdout, stderr }) => ["output", stdout + stderr] as const),
    ]
    const found = texts.flatMap(([where, text]) =>
      Object.entries(secrets).flatMap(([name, secret]) =>
        forms(secret).some((form) => text.includes(form)) ? [`${name} in ${where}`] : [],
      ),
    )
    expect(found).toEqual([])
  }, 120_000)
})

const config = `import { dataset, defineConfig, exactMatch, openai, variant } from "evalkit"
const { ORIGIN, FOLDER, FUNCTION_CODE, GATEWAY, BODY } = process.env
const baseUrl = ORIGIN + "/" + FOLDER + "/v1?code=" + encodeURIComponent(FUNCTION_CODE)
const options = { model: "m", baseUrl, apiKeyVariable: "SERVICE_KEY", headers: { "x-team": GATEWAY }, extraBody: { note: BODY } }
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [
    variant({ name: "a", provider: openai({ ...options, transport: "undici" }) }),
    variant({ name: "b", provider: openai({ ...options, transport: "sdk" }) }),
  ],
  metrics: [exactMatch()],
  retry: { retries: 0 },
})
`

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ""
  for await (const piece of request) text += piece
  if (request.method === "GET") return void response.end('{"data":[]}')
  const { messages } = JSON.parse(text) as { messages: { content: string }[] }
  const [place = "", name = ""] = (messages[0]?.content ?? "").split(" ")
  places[place]?.(secrets[name as keyof typeof secrets], response)
}

function chunk(delta: object, finishReason: string | null = null, more: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finishReason }], ...more })}\n\n`
}

const stop = `${chunk({}, "stop")}data: [DONE]\n\n`
const tool = (name: string, text: string) => ({ index: 0, id: "1", function: { name, arguments: text } })

function stream(response: ServerResponse, ...events: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(events.join(""))
}

function fail(response: ServerResponse, error: object): void {
  response.writeHead(400, { "content-type": "application/json" })
  response.end(JSON.stringify({ error }))
}

/** Twelve characters of a secret are as good as all of it. */
function forms(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString("base64")
  return [secret.slice(0, 12), secret.slice(-12), encodeURIComponent(secret), base64.slice(0, 16)]
}

function allFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? allFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}
