import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Writes a project of two variants that ask the endpoint named by ASK_URL, as a user would have it. */
export function writeChatProject(
  folder: string,
  samples: number,
  { budgetUsd }: { readonly budgetUsd?: number } = {},
): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true })
  symlinkSync(root, join(folder, "node_modules", "evalkit"))
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  const rows = Array.from({ length: samples }, (_, i) => ({
    id: `q${i}`,
    input: `Question ${i}: what is the answer to this, and why should it be so?`,
    reference: "the answer to this question is forty-two of course",
  }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, openai, renderers, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, cachedInputPerMillion: null, source: "benchmark", date: "2026-01-01" } as const
export default defineConfig({
  name: "throughput",
  dataset: dataset("data.jsonl"),
  variants: ["a", "b"].map((name) =>
    variant({ name, provider: openai({ model: name, baseUrl: process.env.ASK_URL + "/v1", apiKeyVariable: null, transport: "undici" }), price }),
  ),
  metrics: [exactMatch()],
  reports: [renderers.json()],${budgetUsd === undefined ? "" : `\n  budget: { usd: ${budgetUsd} },`}
})
`,
  )
}
