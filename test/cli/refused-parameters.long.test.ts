import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { isNightly } from "../support/nightly.ts"
import { type PickyService, startPickyService } from "../support/picky-service.ts"
import { schemaErrors } from "../support/report-schema.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()
let service: PickyService

/** What newer models refuse, in the words of several services; `plain` takes everything. */
function refuse({ model, body }: { readonly model: string; readonly body: Readonly<Record<string, unknown>> }) {
  if (model === "plain") return null
  if (body.reasoning_effort !== "none" && body.temperature !== undefined)
    return { status: 400, message: "Unsupported value: 'temperature' does not support 0 with this model." }
  if (body.logprobs !== undefined)
    return { status: 403, message: "You are not allowed to request logprobs from this model" }
  if (body.max_tokens !== undefined)
    return { status: 400, message: "Use 'max_completion_tokens' instead of 'max_tokens'." }
  if (body.seed !== undefined) return { status: 422, message: 'Unknown name "seed": Cannot find field.' }
  return null
}

beforeAll(async () => {
  service = await startPickyService({ refuse })
})
afterAll(async () => {
  await service.close()
})

async function run(name: string, variants: string): Promise<{ report: RunReport; terminal: string }> {
  const rows = Array.from({ length: 12 }, (_, i) => ({ id: `q${i}`, input: `say w${i}`, references: [`w${i}`] }))
  await writeFile(
    join(folder, `${name}.ts`),
    `import { defineConfig, exactMatch, inline, openai, renderers, variant } from "evalkit"
     const provider = (model: string) => openai({ model, baseUrl: ${JSON.stringify(service.url)}, apiKeyVariable: null, price: {
       kind: "tokens", inputPerMillion: 1,
       cachedInputPerMillion: null, outputPerMillion: 2, source: "test", date: "2026-11-01" } })
     const shared = provider("strict")
     export default defineConfig({ dataset: inline(${JSON.stringify(rows)}), metrics: [exactMatch()], concurrency: 4,
       directory: ${JSON.stringify(name)}, reports: [renderers.markdown(), renderers.html(), renderers.terminal()],
       variants: [${variants}] })`,
  )
  const { code, stdout, stderr } = await runCli(["run", `${name}.ts`, "--json"], { cwd: folder })
  expect([0, 4], stderr).toContain(code)
  const shown = await runCli(["report", "--format", "terminal", "--directory", name], { cwd: folder })
  return { report: reportOf(stdout), terminal: shown.stdout }
}

function reportOf(stdout: string): RunReport {
  const result = JSON.parse(stdout)
  return result.report ?? result
}

describe("a run of a model that refuses parameters", () => {
  it("loses no call, notes each refusal once, counts the refused requests apart and calls it out beside the verdict", async () => {
    const parameters = "{ temperature: 0, maxTokens: 32, seed: 7, topLogprobs: 2 }"
    const { report, terminal } = await run(
      "one",
      `variant({ name: "plain", provider: provider("plain"), parameters: ${parameters} }),
       variant({ name: "strict", provider: shared, parameters: ${parameters} })`,
    )
    const [plain, strict] = report.variants
    expect(strict?.outcomes).toEqual({ ok: 12 })
    expect(strict?.retries).toBe(0)
    expect(strict?.notes.map((note) => note.split(":")[0])).toEqual(["temperature", "logprobs", "max_tokens", "seed"])
    expect(strict?.differences).toEqual(
      expect.arrayContaining([
        { parameter: "temperature", affects: "sampling", answers: 12 },
        { parameter: "logprobs", affects: "measurement", answers: 12 },
        { parameter: "seed", affects: "repeatability", answers: 12 },
      ]),
    )
    const sent = service.seen.filter(({ model }) => model === "strict")
    expect(sent.length).toBe(12 + (strict?.refusedRequests ?? 0))
    expect(strict?.refusedRequests).toBeGreaterThanOrEqual(4)
    expect(strict?.cost.totalUsd).toMatchObject({ status: "known", value: expect.closeTo(12 * 14e-6, 9) })
    expect(plain?.differences).toBeUndefined()
    expect(schemaErrors(report)).toEqual([])
    const words = "strict was asked without temperature 0, which its endpoint refuses, and plain with it"
    expect(report.checks).toContainEqual(
      expect.objectContaining({ besideVerdict: true, status: "failed", message: words }),
    )
    expect(terminal.replace(/\s+/g, " ")).toContain(words)
    const runFolder = join(folder, "one", "reports")
    for (const format of ["md", "html"]) {
      const path = await reportFile(runFolder, format)
      expect((await readFile(path, "utf8")).replace(/\s+/g, " ")).toContain("was asked without temperature 0")
    }
  })

  it("learns apart for each set of parameters: one variant keeps what only the other must do without", {
    skip: !isNightly,
  }, async () => {
    const { report } = await run(
      "two",
      `variant({ name: "high", provider: shared, parameters: { temperature: 0, extra: { reasoning_effort: "high" } } }),
       variant({ name: "none", provider: shared, parameters: { temperature: 0, extra: { reasoning_effort: "none" } } })`,
    )
    const [high, none] = report.variants
    expect([high?.outcomes, none?.outcomes]).toEqual([{ ok: 12 }, { ok: 12 }])
    expect(high?.differences?.map(({ parameter }) => parameter)).toContain("temperature")
    expect(none?.differences?.map(({ parameter }) => parameter) ?? []).not.toContain("temperature")
    expect(none?.notes.filter((note) => note.startsWith("temperature"))).toEqual([])
  })

  it("says nothing beside the verdict where both do without the same", { skip: !isNightly }, async () => {
    const { report } = await run(
      "three",
      `variant({ name: "a", provider: shared, parameters: { temperature: 0 } }),
       variant({ name: "b", provider: provider("strict"), prompt: "{{input}}", parameters: { temperature: 0 } })`,
    )
    expect(report.variants.map(({ differences }) => differences?.map(({ parameter }) => parameter))).toEqual([
      expect.arrayContaining(["temperature"]),
      expect.arrayContaining(["temperature"]),
    ])
    expect(report.checks.filter(({ besideVerdict }) => besideVerdict)).toEqual([])
  })
})

async function reportFile(directory: string, extension: string): Promise<string> {
  const { readdir } = await import("node:fs/promises")
  const files = await readdir(directory, { recursive: true })
  const result = files.find((file) => file.endsWith(`.${extension}`))
  if (!result) throw new Error(`no .${extension} among ${files.join(", ")}`)
  return join(directory, result)
}
