import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { isNightly, sized } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { freePort } from "../support/servers/free-port.ts"
import { controls, controlTexts, foundIn, pageBlocks, plantedEnvironment, plantedKeys } from "./planted-keys.ts"
import {
  answerPlanted,
  endingConfigs,
  type PlantedRequest,
  type PlantedTexts,
  writePlantedProject,
} from "./planted-project.ts"

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
let planted: PlantedTexts = plantedKeys
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
    const samples = Object.keys(places).flatMap((location) =>
      Object.keys(secrets).map((name) => ({ id: `${location}-${name}`, input: `${location} ${name}`, reference: "x" })),
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
    const exports = isNightly ? ["html", "markdown", "json", "answers-csv", "jsonl", "junit"] : ["html", "answers-csv"]
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
    const texts = [...textsOf(written), ...shown.map(({ stdout, stderr }) => ["output", stdout + stderr] as const)]
    expect(foundIn(texts, secrets)).toEqual([])
  }, 120_000)
})

describe("what comes in by every door", () => {
  /** Runs every command over a project that repeats these texts. @returns what they wrote: name and text */
  const everything = async (texts: PlantedTexts): Promise<readonly (readonly [where: string, text: string])[]> => {
    planted = texts
    const folder = scratchDirectory()
    writePlantedProject(folder, origin, texts)
    const environment = { ...plantedEnvironment, COMMAND_PORT: String(await freePort()) }
    const outputs: [string, string][] = []
    const evalkit = async (line: string, codes = [0]) => {
      const { code, stdout, stderr } = await runCli(line.split(" "), { cwd: folder, environment })
      expect(codes, `${line}: ${stderr}`).toContain(code)
      outputs.push([`stdout of ${line}`, stdout], [`stderr of ${line}`, stderr])
      return stdout
    }
    const { run, variants } = JSON.parse(await evalkit("run --json")) as RunReport
    // What is searched is there: every text was answered with by every variant, and failed with.
    for (const { name, finished } of variants) expect([name, finished]).toEqual([name, 32])
    await evalkit("run --resume --retry-failed")
    await evalkit("doctor", [2])
    await evalkit("export --format archive --out archive.jsonl")
    for (const key of isNightly ? ["aws", "pem"] : ["pem"])
      for (const sample of [key, `${key}!`]) await evalkit(`show ${run.id} ${sample}`)
    for (const format of isNightly ? reportFormats : ["terminal", "otlp"])
      await evalkit(`report --format ${format} --out report.${format}`)
    for (const line of isNightly ? otherLines : []) await evalkit(line.replaceAll("RUN", run.id), [0, 4, 5])
    const endings = isNightly ? endingConfigs : endingConfigs.filter((name) => /^(dataset|starts|mcp)/.test(name))
    for (const [i, config] of endings.entries())
      for (const command of isNightly ? ["run", endingCommands[i % endingCommands.length] ?? ""] : ["run"])
        await evalkit(command.replace(/^\w+/, `$& ${config}`), [0, 1, 2, 5])
    const written = allFiles(folder).filter((path) => !/keys\.json$/.test(path))
    return [...textsOf(written), ...outputs]
  }
  const limitMs = sized(600_000, 240_000)

  it(
    "leaves no key in a file or an output",
    async () => {
      const written = await everything(plantedKeys)
      const blocks = written.flatMap(([where, text]) =>
        pageBlocks(text).map((block) => [`block of ${where}`, block] as const),
      )
      expect(blocks.length).toBeGreaterThan(3)
      expect(foundIn([...written, ...blocks], plantedKeys)).toEqual([])
    },
    limitMs,
  )

  it.runIf(isNightly)(
    "leaves nothing that a terminal obeys in an output or a text",
    async () => {
      const written = await everything(controlTexts)
      const texts = written.filter(([where]) => !/\.(?:db(?:-\w+)?|(?:answers-)?csv)$/.test(where))
      const result = texts.flatMap(([where, text]) => {
        const { index } = controls.exec(text) ?? {}
        return index === undefined ? [] : [[where, JSON.stringify(text.slice(Math.max(0, index - 60), index + 20))]]
      })
      expect(result).toEqual([])
    },
    limitMs,
  )
})

const endingCommands = ["run --json", "run --dry-run", "doctor", "bench --requests 4"]
const folderFormats = ["mlflow", "inspect", "every-eval-ever", "hugging-face"]
const otherLines = [
  ...folderFormats.map((format) => `export --format ${format} --out ${format}`),
  "import archive.jsonl --directory second",
  "score RUN",
  "show",
  "runs",
  "diff RUN RUN",
  "compare fn http",
  "bench --variant own fn http aiSdk --concurrency 1 --requests 20",
]
const reportFormats =
  "terminal html markdown json csv answers-csv jsonl svg junit annotations step-summary otlp otlp-metrics otlp-logs langfuse wandb".split(
    " ",
  )

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
  if (text === "") return void response.end('{"data":[]}')
  const sent = JSON.parse(text) as PlantedRequest
  if (!request.url?.includes(secrets.path)) return answerPlanted(request.url ?? "", sent, response, planted)
  const { messages = [] } = sent
  const [location = "", name = ""] = (messages[0]?.content ?? "").split(" ")
  places[location]?.(secrets[name as keyof typeof secrets], response)
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

const textsOf = (paths: readonly string[]) => paths.map((path) => [path, readFileSync(path, "utf8")] as const)

function allFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? allFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}
