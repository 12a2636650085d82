import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
const counts = { answers: 0, verdicts: 0 }
const server = await serveLoopback((_request, response, body) => {
  // What the service has is asked for, too.
  if (body === "") return void response.end("{}")
  const { model } = JSON.parse(body)
  counts[model === "judge" ? "verdicts" : "answers"]++
  const content = model === "judge" ? JSON.stringify({ reasoning: "fine", verdict: "5" }) : "an answer"
  const usage =
    model === "judge"
      ? body.includes("recordedBudget")
        ? { prompt_tokens: 1_300, completion_tokens: 95 }
        : { prompt_tokens: 300, completion_tokens: 40 }
      : { prompt_tokens: 20, completion_tokens: 20 }
  response.end(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: "stop" }], usage }))
})
const url = server.url

async function evalkit(name: string, ...args: string[]) {
  await writeFile(
    join(folder, `${name}.config.ts`),
    `import { defineConfig, openai, recorded, rubric, rubrics, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10, source: "test", date: "2026-01-01" }
const ask = (model) => openai({ model, baseUrl: "${url}", apiKeyVariable: null, price })
const ids = Array.from({ length: 200 }, (_, i) => \`s\${i}\`)
export default defineConfig({
  dataset: ids.map((id) => ({ id, input: \`${name} \${id}\`, references: ["a"] })),
  variants: [
    variant({ name: "m", parameters: { maxTokens: 40 }, provider: ask("m"), price }),
    ...(${name.startsWith("recorded")} ? [variant({ name: "production", provider: recorded(ids.map((id) => ({ id, text: "old", usage: { promptTokens: 1e6, completionTokens: 1e6 } }))), price })] : []),
  ],
  metrics: [rubric({ name: "quality", provider: ask("judge"), rubric: rubrics.helpfulness, parameters: { maxTokens: 100 } })],
  concurrency: 8,
})`,
  )
  const { code, stdout, stderr } = await callCli(["run", `${name}.config.ts`, "--json", ...args], { cwd: folder })
  expect(stdout, stderr).toMatch(/^\{/)
  return { code, result: JSON.parse(stdout), stderr }
}

it("keeps the part of a budget that judging takes: what is answered is judged", { timeout: 60_000 }, async () => {
  const { code, result } = await evalkit("budget", "--no-html", "--budget", "0.1usd")
  expect(code).toBe(5)
  const { finished, quality } = result.variants[0]
  expect(finished).toBeGreaterThan(20)
  expect(finished).toBeLessThan(200)
  expect(quality[0].scored).toBe(finished)
  expect(result.run.endedBecause).toContain("the budget of $0.1 is spent")
  const paid = counts.answers * (20e-6 + 200e-6) + counts.verdicts * (300e-6 + 400e-6)
  expect(paid).toBeLessThanOrEqual(0.1)
})

it("keeps the part that judging recorded answers takes, too", { timeout: 60_000 }, async () => {
  const before = { ...counts }
  const { result } = await evalkit("recordedBudget", "--no-html", "--budget", "0.8usd")
  for (const { name, finished, quality } of result.variants) {
    expect(finished, name).toBeGreaterThan(20)
    expect(quality[0].scored, name).toBe(finished)
  }
  const [answers, verdicts] = [counts.answers - before.answers, counts.verdicts - before.verdicts]
  expect(answers * 220e-6 + verdicts * 2_250e-6).toBeLessThanOrEqual(0.8)
})

it("holds judges in the dry run, with their price", { timeout: 60_000 }, async () => {
  const { result } = await evalkit("dry", "--dry-run")
  const [quality] = result.metrics
  expect(quality.maxCalls).toBe(200)
  expect(quality.maxCostUsd).toBeGreaterThan(200 * 100 * 10e-6)
  expect(quality.maxCostUsd).toBeLessThan(200 * (100 * 10e-6 + 2000e-6))
  expect(result.maxCostUsd).toBeCloseTo(result.variants[0].maxCostUsd + quality.maxCostUsd, 12)
})

it("charges nothing for recorded answers, in the dry run and in the budget", { timeout: 60_000 }, async () => {
  const { result } = await evalkit("recorded", "--dry-run")
  expect(result.variants[1]).toMatchObject({ variant: "production", calls: 0, maxCostUsd: 0 })
  expect(result.calls).toBe(200)
  // 2,200 dollars by its price, had it been asked.
  const run = await evalkit("recorded", "--no-html", "--budget", "2usd")
  expect(run.code).toBe(0)
  expect(run.result.variants.map(({ finished }: { finished: number }) => finished)).toEqual([200, 200])
  expect(run.stderr).not.toMatch(/\$\d{3}/)
})
