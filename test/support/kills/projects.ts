import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Requests in flight at once, of variants and of a judge. */
export const concurrency = 4

/** Names of the variants of both projects. */
export const variantNames = ["a", "b"] as const

/** Writes the data and the config of a project into a folder. */
export function writeProject(folder: string, samples: number, config: string): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(join(folder, "eval.config.ts"), config)
}

const price = `{ kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "bench", date: "2026-01-01" }`

const marks = `
const mark = (name: string) => writeSync(3, name + "\\n")
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const stand = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const page = renderers.html()
const reports = [{ ...page, render: (input, write, screen) => page.render(input, async (chunk) => {
  mark("html")
  await pause(1)
  return write(chunk)
}, screen) }]
`

/** Two variants and a judge on the server, over the transport that a user's would have. */
export function liveConfig(baseUrl: string): string {
  return `import { writeSync } from "node:fs"
import { dataset, defineConfig, openai, renderers, rubric, rubrics, variant } from "evalkit"
${marks}
const at = (model: string) => {
  const provider = openai({ model, baseUrl: "${baseUrl}", apiKeyVariable: null, price: ${price} })
  return { ...provider, async open(context) {
    const session = await provider.open(context)
    return { ...session, request(request, options) {
      mark(model === "judge" ? "judge" : "request")
      return session.request(request, options)
    } }
  } }
}
export default defineConfig({
  name: "killed", dataset: dataset("data.jsonl"), concurrency: ${concurrency}, reports,
  retry: { retries: 5, baseDelayMs: 5, maxDelayMs: 20 },
  variants: ["a", "b"].map((name) => variant({ name, provider: at(name) })),
  metrics: [rubric({ provider: at("judge"), rubric: rubrics.yesOrNo })],
})
`
}

/** The same with recorded timings: who is asked is told the server, and everything in the report is a function of the record. */
export function recordedConfig(baseUrl: string, samples: number): string {
  return `import { writeSync } from "node:fs"
import { dataset, defineConfig, meanMetric, recorded, renderers, rubric, rubrics, variant } from "evalkit"
${marks}
const ask = (key: string) => fetch("${baseUrl}/ask", { method: "POST", body: key }).then((response) => response.text())
const rows = (name: string) => Array.from({ length: ${samples} }, (_, i) => ({
  id: \`s\${i}\`, text: \`\${name === "b" && i % 4 === 0 ? "other" : "text"} \${i} by \${name}\`,
  ttftMs: 100 + (i * 7) % 31, e2eMs: 300 + (i * 13) % 57, usage: { promptTokens: 10, completionTokens: 5 },
}))
const price = ${price}
const asking = (name: string) => {
  const provider = recorded(rows(name), { model: name })
  return { ...provider, price, async open(context) {
    const session = await provider.open(context)
    return { ...session, async request(request, options) {
      mark("request")
      await ask(name + " " + options.sampleId)
      return session.request(request, options)
    } }
  } }
}
const verdict = {
  outcome: "ok", text: '{"reason":"as asked","choice":"yes"}', reasoning: "", toolCalls: [], logprobs: null, finishReason: "stop",
  usage: { promptTokens: 30, completionTokens: 3, cachedPromptTokens: null, reasoningTokens: null },
  log: { scheduledMs: 0, sendMs: 1, connectMs: null, headersMs: 2, endMs: 9, events: [{ atMs: 8, kind: "content", tokens: 3, bytes: 9 }] },
  httpStatus: 200, failure: null, retryAfterMs: null, servedModel: null, server: null,
}
const nothingRan = { peakRssBytes: null, rssOverIdleBytes: null, cpuSeconds: null, gpu: null, modelBytes: null, loadMs: null, reason: "a record" }
const judge = {
  kind: "record", model: "judge", label: "judge", endpoint: "judge", identity: { judge: 1 }, price,
  open: async () => ({
    async request({ messages }) {
      mark("judge")
      const text = messages.map(({ content }) => content).join(" ")
      await ask("judge " + /\\w+ \\d+ by \\w+/.exec(text)[0])
      return verdict
    },
    resources: async () => nothingRan, notes: () => [], close: async () => {},
  }),
}
const slow = meanMetric({
  name: "slow", signature: "slow|v1",
  async measure(sample, { text }) {
    mark("measure")
    await pause(2)
    return Number(text.startsWith(sample.references[0]))
  },
})
export default defineConfig({
  name: "killed", dataset: dataset("data.jsonl"), concurrency: ${concurrency}, reports,
  variants: ["a", "b"].map((name) => variant({ name, provider: asking(name), price })),
  metrics: [
    { ...slow, section() { mark("summary"); stand(15); return null } },
    rubric({ provider: judge, rubric: rubrics.yesOrNo }),
  ],
})
`
}
