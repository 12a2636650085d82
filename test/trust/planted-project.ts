import { mkdirSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { plantedKeys } from "./planted-keys.ts"

/**
 * A project whose every variant and metric repeats, of each sample, the key that the sample is called after: in answers, errors, calls of
 * tools, what an application returns, what judges say and what metrics throw. `service` answers whoever asks by HTTP, `server.mjs` is what
 * `command()` starts, and `tools.mjs` an MCP server. `shared.config.ts` has what workers may take part in.
 *
 * @param texts what is repeated in the place of the keys; one called `hostile` stands in names and data, too
 */
export function writePlantedProject(folder: string, service: string, texts: PlantedTexts = plantedKeys): void {
  mkdirSync(folder, { recursive: true })
  const files = {
    "keys.json": JSON.stringify(texts),
    "package.json": '{"type": "module"}',
    "server.mjs": server,
    "tools.mjs": tools,
    "eval.config.ts": config(service),
    "shared.config.ts": `import whole from "./eval.config.ts"
const variants = whole.variants.filter(({ name }) => ["own", "throws", "http", "openai"].includes(name))
export default { ...whole, variants, baseline: "own" }
`,
    ...Object.fromEntries(Object.entries(endings).map(([name, text]) => [`${name}.config.ts`, smallConfig(text)])),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Configs that end before or at their first call, each with an error that repeats what it was given. */
const endings: Readonly<Record<string, string>> = {
  dataset: `dataset: dataset("http://evaluator:" + keys.userInfo + "@127.0.0.1:1/data.jsonl?token=" + keys.google), variants: [variant({ name: "a", provider: ask })]`,
  throws: `dataset: rows, variants: (() => { throw new Error("no " + known) })()`,
  starts: `dataset: rows, variants: [variant({ name: "a", provider: command({ command: process.execPath, args: [...says, "--api-key", keys.argument], readiness: { url: at }, baseUrl: at + "/v1", model: "m" }) })]`,
  mcp: `dataset: rows, variants: [variant({ name: "a", provider: ask, episode: episode({ tools: [mcpTools({ command: process.execPath, args: [...says, "--token=" + keys.argument] })] }) })]`,
  unknown: `dataset: rows, variants: [variant({ name: "a", provider: ask })], ["x" + keys.github]: keys.aws`,
  opens: `dataset: rows, variants: [variant({ name: "a", provider: { kind: "own", model: "m", label: "own", endpoint: "own", identity: {}, open: async () => { throw new Error("no " + known) } } })]`,
}

const smallConfig = (body: string) => `import { readFileSync } from "node:fs"
import { command, dataset, defineConfig, episode, exactMatch, fromFunction, mcpTools, variant } from "evalkit"
const keys = JSON.parse(readFileSync("keys.json", "utf8"))
const { header: _h, argument: _a, body: _b, basic: _c, ...environment } = keys
const known = Object.values(environment).join(" ")
const says = ["-e", "console.error(process.argv.join(), process.env.SLACK_BOT_TOKEN); process.exit(3)", "--"]
const ask = fromFunction(() => "x", { name: "fn" })
const rows = [{ id: "a", input: "a", reference: "x" }]
const at = "http://127.0.0.1:" + process.env.COMMAND_PORT
export default defineConfig({ metrics: [exactMatch()], ${body} })
`

/** Those configs by name. */
export const endingConfigs: readonly string[] = Object.keys(endings).map((name) => `${name}.config.ts`)

/** Answers that repeat, over HTTP, the key that is asked for: as an application, or as OpenAI's interface; "NAME!" is refused. */
export function answerPlanted(url: string, sent: PlantedRequest, response: ServerResponse, texts: PlantedTexts): void {
  const name = sent.question ?? sent.messages?.at(-1)?.content ?? ""
  const key = texts[name.replace("!", "")] ?? "none"
  if (name.endsWith("!")) {
    response.writeHead(500, { "x-request-id": encodeURI(key) })
    response.end(JSON.stringify({ error: { message: `no ${key}`, code: key } }))
  } else if (url === "/application") response.end(JSON.stringify({ text: `it is ${key}`, model: key, [key]: key }))
  else {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const choices = [{ index: 0, delta: { content: `it is ${key}` }, finish_reason: "stop" }]
    response.end(`data: ${JSON.stringify({ choices, model: key })}\n\ndata: [DONE]\n\n`)
  }
}

/** By the name of the sample that asks for it. */
export type PlantedTexts = Readonly<Record<string, string>>

/** What is asked of the service: by an application's body, or by OpenAI's. */
export interface PlantedRequest {
  readonly question?: string
  readonly messages?: readonly { readonly content: string }[]
}

const sdk = (path: string) => JSON.stringify(fileURLToPath(import.meta.resolve(`@modelcontextprotocol/sdk/${path}`)))

const tools = `import { readFileSync } from "node:fs"
import { Server } from ${sdk("server/index.js")}
import { StdioServerTransport } from ${sdk("server/stdio.js")}
import { CallToolRequestSchema, ListToolsRequestSchema } from ${sdk("types.js")}
const keys = JSON.parse(readFileSync("keys.json", "utf8"))
const text = { type: "object", properties: { name: { type: "string" } } }
console.error(Object.values(keys).join(" "))
const server = new Server({ name: "tools " + keys.slack, version: keys.github }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [
  { name: "echo", description: "Knows " + keys.stripe, inputSchema: text, annotations: { readOnlyHint: true } },
  { name: "fail", inputSchema: text, annotations: { readOnlyHint: true } },
] }))
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) => {
  const content = [{ type: "text", text: "it is " + keys[given.name] }]
  if (name === "fail") throw new Error(content[0].text)
  return { content }
})
await server.connect(new StdioServerTransport())
`

const server = `import { readFileSync } from "node:fs"
import { createServer } from "node:http"
const keys = JSON.parse(readFileSync("keys.json", "utf8"))
const port = Number(process.argv[process.argv.indexOf("--port") + 1])
console.error(Object.values(keys).join(" "))
createServer(async (request, response) => {
  let body = ""
  for await (const piece of request) body += piece
  if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: keys.argument }] }))
  const { messages } = JSON.parse(body)
  const key = keys[messages.at(-1).content.replace("!", "")] ?? "warm"
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify({ model: key, choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "it is " + key } }] }))
}).listen(port, "127.0.0.1")
`

const config = (service: string) => `import { readFileSync } from "node:fs"
import { command, dataset, defineConfig, embeddingSimilarity, episode, fromFunction, http, mcpTools, meanMetric, openai, rubric, rubrics, tool, variant } from "evalkit"
import { fromAiSdk, fromRunnable } from "evalkit/providers"
const keys = JSON.parse(readFileSync("keys.json", "utf8"))
const asked = (messages) => messages.findLast(({ role }) => role === "user").content
const { hostile = "" } = keys
// A sample "NAME!" is one whose answer fails.
const find = (name) => keys[name.replace("!", "")] ?? "none"
const keyOf = (messages) => find(asked(messages))
const fails = (messages) => asked(messages).endsWith("!")
const usage = { promptTokens: 3, completionTokens: 4, cachedPromptTokens: null, reasoningTokens: null }
const answerOf = (key, { clock, originMs, scheduledMs }, more) => ({
  outcome: "ok", text: "it is " + key, reasoning: "I know " + key, logprobs: null, finishReason: "stop", usage, httpStatus: 200, failure: null, retryAfterMs: null,
  toolCalls: [{ id: "1", name: "f", arguments: JSON.stringify({ [key]: key }) }], servedModel: key, server: { [key]: key }, returned: { fields: { [key]: key }, passages: [key], stages: { [key]: { passages: [key] } } },
  log: { scheduledMs: scheduledMs - originMs, sendMs: 0, connectMs: null, headersMs: null, events: [], endMs: clock.now() - originMs }, ...more,
})
const session = (request) => ({ request, resources: async () => ({ peakRssBytes: null, rssOverIdleBytes: null, cpuSeconds: null, gpu: null, modelBytes: null, loadMs: null, reason: keys.github }), notes: () => Object.values(keys), transport: () => keys.slack, close: async () => {} })
const own = (name, request) => ({ kind: name, model: "m", label: name + hostile, endpoint: name, identity: { kind: name }, open: async (context) => { context.progress(keys.stripe + " " + keys.pem); return session(request) } })
const throws = (messages) => { throw Object.assign(new Error("refused " + keyOf(messages)), { status: 400, stack: "Error: " + keyOf(messages) + "\\n    at x (" + keyOf(messages) + ")" }) }
const parts = function* (key) { yield { type: "stream-start", warnings: [{ type: "other", message: key }] }; yield { type: "response-metadata", modelId: key }; yield { type: "text-start", id: "1" }; yield { type: "text-delta", id: "1", delta: "it is " + key }; yield { type: "text-end", id: "1" }; yield { type: "finish", finishReason: "stop", usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } } }
const aiSdk = (stream) => fromAiSdk({ specificationVersion: "v2", provider: "p", modelId: "m", doStream: async ({ prompt }) => ({ stream: stream(prompt.findLast(({ role }) => role === "user").content[0].text) }) })
const chat = { baseUrl: "${service}/v1" }
const sdkMessage = (prompt) => [{ role: "user", content: prompt.findLast(({ role }) => role === "user").content[0].text }]
const provider = {
  own: own("own", async ({ messages }, options) => answerOf(keyOf(messages), options, fails(messages) ? { outcome: "http_5xx", httpStatus: 500, failure: { message: keyOf(messages), code: keyOf(messages), stack: keyOf(messages) } } : {})),
  throws: own("throws", async ({ messages }, options) => fails(messages) ? throws(messages) : answerOf("a word", options)),
  aiSdk: fromAiSdk({ specificationVersion: "v2", provider: "p", modelId: "m", doStream: async ({ prompt }) => { const messages = sdkMessage(prompt); if (fails(messages)) throw Object.assign(new Error("no " + keyOf(messages)), { statusCode: 500, responseBody: keyOf(messages) }); return { stream: ReadableStream.from(parts(keyOf(messages))) } } }),
  runnable: fromRunnable({ stream: async function* (messages) { if (fails(messages)) throw new Error("no " + keyOf(messages)); yield "it is " + keyOf(messages) } }, { input: ({ messages }) => messages }),
  fn: fromFunction(async ({ messages, stage }) => { const key = keyOf(messages); if (fails(messages)) throws(messages); await stage("look", async () => [key], (found) => found); return { text: "it is " + key, reasoning: key, model: key, fields: { [key]: key }, passages: [key] } }, { name: "fn" }),
  http: http({ url: "${service}/application", headers: { "x-api-key": keys.header, authorization: "Basic " + keys.basic }, body: { question: "{{ input }}", hf_token: keys.body }, answer: "text", servedModel: "model", fields: { all: "$" } }),
  openai: openai({ ...chat, model: "m", apiKeyVariable: "OPENAI_API_KEY", headers: { "x-gateway-token": keys.header }, extraBody: { metadata: { "api-token": keys.body } } }),
  command: command({ command: process.execPath, args: ["server.mjs", "--api-key", keys.argument, "--port", process.env.COMMAND_PORT], readiness: { url: "http://127.0.0.1:" + process.env.COMMAND_PORT }, baseUrl: "http://127.0.0.1:" + process.env.COMMAND_PORT + "/v1", model: "m" }),
}
const agent = fromFunction(({ messages }) => {
  const name = messages.find(({ role }) => role === "user").content.replace("!", "")
  const made = messages.filter(({ role }) => role === "tool").length
  const call = [["echo", { name }], ["fail", { name }], ["own", { name }], ["broken", { name, [keys[name]]: keys[name] }]][made]
  return call ? { toolCalls: [{ name: call[0], arguments: call[1] }] } : "done"
}, { name: "agent" })
const parameters = { type: "object", properties: { name: { type: "string" } } }
const tools = [
  mcpTools({ command: process.execPath, args: ["tools.mjs", "--token=" + keys.argument] }),
  tool({ name: "own", parameters, effects: "none", run: ({ name }) => ({ [keys[name]]: keys[name] }) }),
  tool({ name: "broken", parameters, effects: "none", run: ({ name }) => { throw new Error("no " + keys[name]) } }),
]
const judged = (prompt) => Object.keys(keys).find((name) => prompt.includes("ask:" + name)) ?? "slack"
const judge = fromFunction(({ messages }) => { const all = messages.map(({ content }) => content).join(" "); return JSON.stringify({ reasoning: "it holds " + keys[judged(all)], verdict: "correct" }) }, { name: "judge" })
const badJudge = fromFunction(({ messages }) => { throw new Error("judge knows " + keys[judged(messages.map(({ content }) => content).join(" "))]) }, { name: "badJudge" })
const of = (sample) => find(sample.id)
const metric = (name, measure) => meanMetric({ name, signature: name, measure })
export default defineConfig({
  name: "planted", retry: { retries: 0 }, concurrency: 4,
  dataset: Object.keys(keys).filter((id) => id !== "hostile").flatMap((id) => [id, id + "!"]).map((id) => ({ id, input: id, metadata: { note: hostile }, category: "c" + hostile, reference: "ask:" + id + ";" })),
  variants: [
    ...Object.entries(provider).map(([name, provider]) => variant({ name, provider })),
    variant({ name: "agent", provider: agent, episode: episode({ tools, maxSteps: 6 }) }),
  ],
  baseline: "fn",
  metrics: [
    metric("plain", (sample) => sample.id.length / 20),
    metric("throws", (sample) => { throw new Error("no " + of(sample)) }),
    metric("unscored" + hostile, (sample) => ({ status: "unscored", code: "custom", reason: "lacks " + of(sample), details: { [of(sample)]: of(sample) } })),
    { ...metric("row", () => 1), measure: (sample) => ({ status: "scored", row: { value: 1, [of(sample)]: of(sample) } }), value: () => 1, summarise: (rows) => ({ value: 1, details: { [keys.pem]: keys.pem, ...keys } }) },
    embeddingSimilarity({ embedder: { identity: "own", embed: async () => { throw new Error("embedder " + Object.values(keys).join(" ")) }, close: async () => {} } }),
    rubric({ provider: judge, rubric: rubrics.correctness }),
    rubric({ provider: badJudge, rubric: rubrics.correctness, name: "bad judge" }),
  ],
})
`
