import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
const usage = { prompt_tokens: 20, completion_tokens: 500 }
let inFlight = 0
let most = 0
const server = createServer(async (request, response) => {
  for await (const _ of request);
  most = Math.max(most, ++inFlight)
  setTimeout(() => {
    inFlight--
    response.end(JSON.stringify({ choices: [{ index: 0, message: { content: "a" }, finish_reason: "stop" }], usage }))
  }, 20)
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

async function run(name: string, samples: number, ...args: string[]) {
  await writeFile(
    join(folder, `${name}.config.ts`),
    `import { defineConfig, exactMatch, openai, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10, source: "test", date: "2026-01-01" }
export default defineConfig({
  dataset: Array.from({ length: ${samples} }, (_, i) => ({ id: \`s\${i}\`, input: \`q\${i}\`, references: ["a"] })),
  variants: [variant({ name: "m", parameters: { maxTokens: 16000 }, provider: openai({ model: "m", baseUrl: "${url}", apiKeyVariable: null }), price })],
  metrics: [exactMatch()],
  concurrency: 16,
})`,
  )
  const { code, stdout, stderr } = await callCli(["run", `${name}.config.ts`, "--no-html", "--json", ...args], {
    cwd: folder,
  })
  expect(stdout, stderr).toMatch(/^\{/)
  return { code, report: JSON.parse(stdout) }
}

it("lets a call whose worst case does not fit beside those in flight wait for them", { timeout: 60_000 }, async () => {
  // At most 16 cents each, and half a cent in truth: six fit beside each other into a dollar, and all fifty one after the other.
  const { code, report } = await run("waiting", 50, "--budget", "1usd")
  expect(code).toBe(0)
  expect(report.variants[0].finished).toBe(50)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(6)
})

it("stops where the worst case of a call does not fit any more, with nothing in flight", {
  timeout: 60_000,
}, async () => {
  const { code, report } = await run("stopping", 50, "--budget", "0.2usd")
  expect(code).toBe(5)
  // 20 cents less the worst case of 16 are used up by half cents.
  expect(report.variants[0].finished).toBe(8)
  expect(report.run.endedBecause).toContain("the budget of $0.2 is spent")
})
