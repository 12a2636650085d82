import OpenAI from "openai"
import { Pool } from "undici"

// What is measured is what is published; a clone is checked before it is built.
const built = (name: string): Promise<unknown> => import(new URL(`../../dist/src/${name}.js`, import.meta.url).href)
const engine = (await built("engine")) as typeof import("../../src/engine.ts")
const { runEvaluation: evaluate, openRunStore, validateConfig } = engine
const index = (await built("index")) as typeof import("../../src/index.ts")
const { bleu, chrf, contains, exactMatch, inline, openai, tokenF1 } = index
const { systemClock } = (await built("providers")) as typeof import("../../src/providers.ts")

/** Where a contender works. */
export interface Setting {
  readonly baseUrl: string
  readonly prompts: number
  readonly directory: string
}

/** Prepares a contender; the returned function is what is measured, and returns how many answers it got. */
export type Contender = (setting: Setting) => Promise<() => Promise<number>>

const concurrency = 32
const variants = 2

/** Two variants × prompts, concurrency 32: evalkit on both transports, and the two loops that do nothing but ask. */
export const contenders: Readonly<Record<string, Contender>> = {
  "evalkit, own client": (setting) => evalkit(setting, "undici"),
  "evalkit, openai SDK": (setting) => evalkit(setting, "sdk"),
  "bare undici loop": bareUndici,
  "bare openai SDK": bareSdk,
}

async function evalkit(
  { baseUrl, prompts, directory }: Setting,
  transport: "undici" | "sdk",
): Promise<() => Promise<number>> {
  const rows = Array.from({ length: prompts }, (_, i) => ({
    id: `s${i}`,
    input: `What is the answer to question number ${i}?`,
    reference: i % 2 === 0 ? "the answer to this question is forty-two of course" : "nobody knows",
  }))
  const evaluation = await validateConfig({
    dataset: inline(rows),
    variants: ["a", "b"].map((name) => ({
      name,
      provider: openai({ model: name, baseUrl, apiKeyVariable: "BENCHMARK_KEY", transport }),
    })),
    metrics: [exactMatch(), contains(), tokenF1(), chrf(), bleu()],
    concurrency,
  })
  return async () => {
    const store = openRunStore(directory)
    const { report } = await evaluate({
      evaluation,
      store,
      clock: systemClock,
      environment: { BENCHMARK_KEY: "none" },
      cacheDirectory: directory,
      facts: { id: "benchmark", startedAt: new Date().toISOString(), versions: {}, configPath: null },
      signal: new AbortController().signal,
    })
    store.close()
    return report.variants.reduce((sum, variant) => sum + (variant.outcomes.ok ?? 0), 0)
  }
}

async function bareUndici({ baseUrl, prompts }: Setting): Promise<() => Promise<number>> {
  const url = new URL(baseUrl)
  const pool = new Pool(url.origin, { connections: concurrency })
  return () =>
    inParallel(prompts * variants, async (i) => {
      const { body } = await pool.request({
        method: "POST",
        path: `${url.pathname}/chat/completions`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "a", stream: true, messages: [{ role: "user", content: `question ${i}` }] }),
      })
      let text = ""
      for await (const chunk of body) text += String(chunk)
      return text.includes("[DONE]")
    })
}

async function bareSdk({ baseUrl, prompts }: Setting): Promise<() => Promise<number>> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 })
  return () =>
    inParallel(prompts * variants, async (i) => {
      const stream = await client.chat.completions.create({
        model: "a",
        stream: true,
        messages: [{ role: "user", content: `question ${i}` }],
      })
      let text = ""
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
      return text.length > 0
    })
}

async function inParallel(count: number, ask: (index: number) => Promise<boolean>): Promise<number> {
  let next = 0
  let answered = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) if (await ask(next++)) answered++
    }),
  )
  return answered
}
