import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runCli } from "../support/cli.ts"
import { type PickyOptions, type PickyService, startPickyService } from "../support/picky-service.ts"

let folder: string
let service: PickyService
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evalkit-first-"))
})
afterEach(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(options: PickyOptions, samples: number) {
  service = await startPickyService(options)
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `q${i}`, input: `say w${i}`, references: [`w${i}`] }))
  await writeFile(
    join(folder, "eval.config.ts"),
    `import { defineConfig, exactMatch, inline, openai } from "evalkit"
     const provider = (model: string) => openai({ model, baseUrl: ${JSON.stringify(service.url)}, apiKeyVariable: "PICKY_KEY" })
     export default defineConfig({ dataset: inline(${JSON.stringify(rows)}), metrics: [exactMatch()], concurrency: 16,
       variants: [{ name: "a", provider: provider("a") }, { name: "b", provider: provider("b") }] })`,
  )
  return runCli(["run", "--json"], { cwd: folder, environment: { PICKY_KEY: "sk-picky-0123456789" } })
}

describe("the first calls of a run", () => {
  it("stop it before the rest is spent, when no endpoint answers them", async () => {
    const refuse = () => ({ status: 401, message: "Incorrect API key provided" })
    const { code, stdout, stderr } = await run({ refuse }, 40)
    expect(code, stderr).toBe(5)
    expect(service.seen.length).toBe(2)
    expect(stdout + stderr).toContain("Incorrect API key provided")
  })

  it("try three samples before they blame the endpoint, and go on when one is answered", async () => {
    const refuse = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
      /w\d\b/.test(JSON.stringify(body.messages)) && !/w7\b/.test(JSON.stringify(body.messages))
        ? { status: 400, message: "this prompt cannot be read" }
        : null
    const { code, stdout } = await run({ refuse }, 20)
    expect([0, 4, 5]).toContain(code)
    expect(JSON.parse(stdout).report?.variants ?? JSON.parse(stdout).variants).toMatchObject([
      { finished: 20 },
      { finished: 20 },
    ])
  })

  it("teach the limiter what the service allows, so that no call meets a 429", async () => {
    // Ten a second and at most ten at once, for each model; the service counts strictly.
    const buckets = new Map<string, { left: number; at: number }>()
    const bucketOf = (model: string) => {
      const now = performance.now()
      const { left, at } = buckets.get(model) ?? { left: 10, at: now }
      const filled = { left: Math.min(10, left + (now - at) / 100), at: now }
      buckets.set(model, filled)
      return filled
    }
    let limited = 0
    const { code, stderr } = await run(
      {
        refuse({ model }) {
          const bucket = bucketOf(model)
          if (bucket.left < 1) {
            limited++
            return { status: 429, message: "too many" }
          }
          bucket.left--
          return null
        },
        headers: ({ model }) => ({
          "x-ratelimit-limit-requests": "600",
          "x-ratelimit-remaining-requests": String(Math.max(0, Math.floor(bucketOf(model).left - 1))),
          "x-ratelimit-reset-requests": "500ms",
        }),
      },
      30,
    )
    expect([0, 4], stderr).toContain(code)
    expect(limited).toBe(0)
    expect(service.seen.length).toBe(60)
  })
})
