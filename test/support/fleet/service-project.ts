import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { usdPerToken } from "./service-server.ts"

/** Two variants that ask a service at SERVICE_URL, with a metric of exact words: what is asked is `text 12`, what is right is the same. An answer may have so many tokens. */
export function writeServiceProject(folder: string, samples: number, maxTokens = 16): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, openai, renderers, variant } from "evalkit"
const { SERVICE_URL, WORKER = "single", CONCURRENCY = "4" } = process.env
const perMillion = ${usdPerToken * 1e6}
const price = { kind: "tokens", inputPerMillion: perMillion, outputPerMillion: perMillion, cachedInputPerMillion: null, source: "bench", date: "2026-01-01" }
const named = (name: string) => variant({
  name, price, parameters: { maxTokens: ${maxTokens} },
  provider: openai({ model: name, baseUrl: SERVICE_URL, apiKeyVariable: null, headers: { "x-worker": WORKER }, price }),
})
export default defineConfig({
  name: "service", dataset: dataset("data.jsonl"), concurrency: Number(CONCURRENCY), reports: [renderers.json()],
  retry: { retries: 3, baseDelayMs: 50, maxDelayMs: 5_000 },
  variants: ["base", "candidate"].map(named), baseline: "base", metrics: [exactMatch()],
})
`,
  )
}
