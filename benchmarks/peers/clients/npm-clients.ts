/** Clients of npm that want a newer Node than evalkit does: promptfoo and the AI SDK. A row each. */
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { npmPackages } from "../environment.ts"

const versions = { promptfoo: "0.123.1", ai: "7.0.173", "@ai-sdk/openai-compatible": "3.0.92" } as const
const question = "What is 12 + 30?"

/** Asks the endpoint, and prints rows. @returns number of faults */
export async function askByNpmClients(base: string, model: string, folder: string): Promise<number> {
  const reference = await direct(base, model)
  const asks = [
    ["promptfoo", versions.promptfoo, () => promptfoo(base, model, folder, reference)],
    ["AI SDK", versions.ai, () => aiSdk(base, model, folder, reference)],
  ] as const
  let faults = 0
  for (const [client, version, ask] of asks)
    try {
      for (const [what, isRight, shown] of ask()) {
        if (!isRight) faults++
        console.log(
          `| ${client} | ${version} | ${what} | ${isRight ? "works" : `FAULT: ${JSON.stringify(shown).slice(0, 300)}`} |`,
        )
      }
    } catch (error) {
      console.error(`SKIPPED: ${client}: ${String(error).split("\n")[0]}`)
    }
  return faults
}

/** What was asked for, whether it came, and what came. */
type Row = readonly [what: string, isRight: boolean, shown: unknown]

interface Reference {
  readonly text: string
  readonly promptTokens: number
  readonly completionTokens: number
  /** Of the answer's tokens. */
  readonly logprobs: readonly number[]
}

interface Direct {
  readonly choices: readonly [
    { readonly message: { content: string }; readonly logprobs: { content: readonly { logprob: number }[] } },
  ]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** The answer without a client between. */
async function direct(base: string, model: string): Promise<Reference> {
  const body = {
    model,
    messages: [{ role: "user", content: question }],
    temperature: 0,
    max_tokens: 16,
    logprobs: true,
  }
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${base}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) })
  const { choices, usage } = (await response.json()) as Direct
  const logprobs = choices[0].logprobs.content.map(({ logprob }) => logprob)
  const [promptTokens, completionTokens] = [usage.prompt_tokens, usage.completion_tokens]
  return { text: choices[0].message.content, promptTokens, completionTokens, logprobs }
}

function promptfoo(base: string, model: string, folder: string, reference: Reference): readonly Row[] {
  const [node, modules] = npmPackages(`promptfoo-${versions.promptfoo}`, [`promptfoo@${versions.promptfoo}`])
  const provider = (label: string, config: object, id = `openai:chat:${model}`) => ({
    ...{ id, label, config: { apiBaseUrl: base, apiKey: "none", temperature: 0, max_tokens: 16, ...config } },
  })
  const schema = { type: "object", properties: { value: { type: "boolean" } }, required: ["value"] }
  const tool = { type: "function", function: { name: "add", parameters: schema } }
  const json = { type: "json_schema", json_schema: { name: "sum", schema, strict: true } }
  const config = {
    prompts: ["{{question}}"],
    providers: [
      provider("answer", { passthrough: { logprobs: true } }),
      provider("completion", {}, `openai:completion:${model}`),
      provider("schema", { response_format: json, max_tokens: 64 }),
      provider("function", { tools: [tool], tool_choice: "required", max_tokens: 200 }),
      provider("n", { passthrough: { n: 2 } }),
      provider("frequency_penalty", { frequency_penalty: 1 }),
    ],
    tests: [{ vars: { question } }, { vars: { question: "word ".repeat(600) } }],
  }
  writeFileSync(join(folder, "promptfoo.json"), JSON.stringify(config))
  const options = ["--no-cache", "--no-table", "--no-progress-bar", "-j", "1", "-o", "promptfoo-results.json"]
  const quiet = { PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1", PROMPTFOO_CONFIG_DIR: folder }
  spawnSync(node, [join(modules, ".bin/promptfoo"), "eval", "-c", "promptfoo.json", ...options], {
    ...{ cwd: folder, env: { ...process.env, ...quiet }, stdio: "ignore", timeout: 300_000 },
  })
  const { results } = JSON.parse(readFileSync(join(folder, "promptfoo-results.json"), "utf8")).results
  const of = (label: string, isLong = false) =>
    results.find(
      ({ provider, testIdx }: { readonly provider: { label: string }; readonly testIdx: number }) =>
        provider.label === label && testIdx === Number(isLong),
    )
  const { response } = of("answer")
  const { prompt, completion } = response.tokenUsage
  const { output } = of("schema").response
  const called = of("function").response.output
  const refuses = (label: string, word: string, isLong = false): Row => {
    const { error } = of(label, isLong)
    return [`refused: ${isLong ? "a prompt that is too long" : label}`, String(error).includes(word), error]
  }
  return [
    ["answer", response.output === reference.text, response.output],
    ["usage", prompt === reference.promptTokens && completion === reference.completionTokens, response.tokenUsage],
    ["log-probabilities", isClose(response.logProbs ?? [], reference.logprobs), response.logProbs],
    ["text completion", typeof of("completion").response?.output === "string", of("completion")],
    ["JSON schema", typeof (typeof output === "string" ? JSON.parse(output) : output).value === "boolean", output],
    // The tiny model was never taught to end a call.
    [
      "function",
      JSON.stringify(called).includes("add") || /length/.test(JSON.stringify(of("function"))),
      of("function"),
    ],
    refuses("n", "n"),
    refuses("frequency_penalty", "frequency_penalty"),
    refuses("answer", "messages", true),
  ]
}

/** The newest AI SDK with its provider for endpoints like OpenAI's. */
function aiSdk(base: string, model: string, folder: string, reference: Reference): readonly Row[] {
  const provider = "@ai-sdk/openai-compatible"
  const [node, modules] = npmPackages("ai-sdk", [`ai@${versions.ai}`, `${provider}@${versions[provider]}`, "zod@4"])
  const script = `
    import { createRequire } from "node:module"
    const from = (name) => import(createRequire(${JSON.stringify(`${modules}/`)}).resolve(name))
    const { generateText, streamText } = await from("ai")
    const { createOpenAICompatible } = await from("${provider}")
    const endpoint = createOpenAICompatible({ name: "evalkit", baseURL: ${JSON.stringify(base)}, includeUsage: true })
    const asked = { model: endpoint(${JSON.stringify(model)}), prompt: ${JSON.stringify(question)}, temperature: 0, maxOutputTokens: 16, maxRetries: 0 }
    const { text, usage } = await generateText(asked)
    const stream = streamText(asked)
    let streamed = ""
    for await (const part of stream.textStream) streamed += part
    const streamedUsage = await stream.usage
    const refused = await generateText({ ...asked, frequencyPenalty: 1 }).then(() => null, String)
    const long = await generateText({ ...asked, prompt: "word ".repeat(600) }).then(() => null, String)
    console.log(JSON.stringify({ text, usage, streamed, streamedUsage, refused, long }))`
  writeFileSync(join(folder, "ai-sdk.mjs"), script)
  const got = JSON.parse(execFileSync(node, ["ai-sdk.mjs"], { cwd: folder, encoding: "utf8", timeout: 120_000 }))
  const isRight = ({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }) =>
    inputTokens === reference.promptTokens && outputTokens === reference.completionTokens
  return [
    ["answer, usage", got.text === reference.text && isRight(got.usage), got],
    ["stream with usage", got.streamed === reference.text && isRight(got.streamedUsage), got],
    ["refused: frequency_penalty", String(got.refused).includes("frequency_penalty"), got.refused],
    ["refused: a prompt that is too long", String(got.long).includes("maximum context length"), got.long],
  ]
}

function isClose(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] as number)) < 1e-9)
}
