import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { services as known } from "../../src/cli/init/choices.ts"
import { command as init } from "../../src/cli/init/init.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { fakeIo } from "../support/fake-io.ts"
import { startAnthropicMock } from "../support/mocks/anthropic.ts"
import { type ChatService, startChatService } from "../support/mocks/chat-service.ts"
import { startCohereMock } from "../support/mocks/cohere.ts"
import { startGeminiMock } from "../support/mocks/gemini.ts"
import { chatServices } from "../support/mocks/services.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

const key = "service-key-0123456789abcdef"

let stop: (() => Promise<void>) | undefined
afterEach(() => stop?.())

/** Writes a config, points it at a mock as a user would, asks the doctor, and runs it. */
async function runNewConfig(
  service: string,
  baseUrl: string,
  keyVariable: string | null,
  options: {
    readonly isDoctored?: boolean
    readonly models?: readonly [string, string]
    edit?(config: string): string
  } = {},
) {
  const folder = scratchDirectory()
  const io = fakeIo({ cwd: folder })
  const [baseline, candidate] = options.models ?? []
  expect(await init.run({ dir: ".", provider: service, baseline, candidate }, io)).toBe(0)
  const path = join(folder, "eval.config.ts")
  const written = await readFile(path, "utf8")
  const url = `baseUrl: ${JSON.stringify(baseUrl)}`
  const { factory = "" } = known.get(service) ?? {}
  const pointed = written.includes("baseUrl: ")
    ? written.replaceAll(/baseUrl: "[^"]*"/g, url)
    : written.replaceAll(`${factory}({`, `${factory}({ ${url},`)
  await writeFile(path, options.edit?.(pointed) ?? pointed)
  const environment = keyVariable === null ? {} : { [keyVariable]: key }
  const doctor = options.isDoctored ? await callCli(["doctor"], { cwd: folder, environment }) : null
  const { stdout, stderr } = await callCli(["run", "--json"], { cwd: folder, environment })
  const report = JSON.parse(stdout) as RunReport
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = [stdout, stderr, doctor?.stdout ?? "", doctor?.stderr ?? ""]
  for (const file of files) if (file.isFile()) texts.push(await readFile(join(file.parentPath, file.name), "latin1"))
  expect(texts.filter((text) => text.includes(key))).toEqual([])
  return { report, stderr, doctor: doctor?.stdout ?? null }
}

const lossless = [
  { finished: 10, outcomes: { ok: 10 }, retries: 0 },
  { finished: 10, outcomes: { ok: 10 }, retries: 0 },
]

/** What a first config of a service costs its user in refused requests, with the suggested models. */
const refusedAtFirst: Readonly<Record<string, readonly string[]>> = { together: ["stream_options"] }

/** Notes on counts: what a total holds besides its parts is taken as thinking. */
const assumed: Readonly<Record<string, readonly string[]>> = { "gemini-compatible": ["usage"] }

/** What the doctor says of the limits that a service states with its answers. */
const limits: Readonly<Record<string, string>> = {
  openai: "10000 requests, 9999 left (all of them in 0.006 s); 2000000 tokens, 1999000 left",
  "anthropic-compatible": "4000 requests, 3999 left",
  groq: "14400 requests, 14370 left (all of them in 180 s); 1800000 tokens, 1799700 left",
  mistral: "300 requests, 299 left; 500000 tokens, 499000 left",
}

/** Every day what other services differ from: a deployment of one's own, a member that is refused, a limit that is stated. */
const served = chatServices.filter(({ name }) => isNightly || ["openai", "azure", "together"].includes(name))

describe("a first config", () => {
  it.each(served.map((service) => [service.name, service] as const))(
    "for %s loses no call, counts and bills as the service does, and meets no refusal that could be known",
    async (name, service) => {
      const mock = await startChatService(service, key)
      stop = mock.close
      // A price is found by the service's name, or by its host, which is not here.
      const priced = service.rates && ["openai", "azureOpenai"].includes(known.get(name)?.factory ?? "")
      const { report, stderr, doctor } = await runNewConfig(
        name,
        mock.baseUrl + service.basePath,
        service.keyVariable,
        {
          isDoctored: limits[name] !== undefined,
          ...(priced && { edit: withPrice(service) }),
        },
      )
      expect(report.variants, stderr).toMatchObject(lossless)
      const expected = refusedAtFirst[name] ?? []
      if (doctor !== null) expect(doctor).toContain(limits[name])
      if (doctor !== null) expect(doctor).toMatch(/Ready[.,]/)
      // The first call of each variant meets what is refused.
      expect(mock.refused.length, mock.refused.join("\n")).toBe(expected.length * 2)
      for (const { name: variant, notes, refusedRequests = 0, tokens, cost } of report.variants) {
        expect(
          notes.map((note) => note.split(":")[0]),
          variant,
        ).toEqual([...expected, ...(assumed[name] ?? [])])
        expect(refusedRequests).toBe(expected.length)
        const model = known.get(name)?.[variant as "baseline" | "candidate"]
        // The doctor's answer was billed, too, but not to the run.
        const billed = mock.billed.filter((call) => call.model === model).slice(doctor === null ? 0 : 1)
        expect(billed.length).toBe(10)
        const sum = (of: (call: (typeof billed)[number]) => number) => billed.reduce((all, call) => all + of(call), 0)
        expect(tokens.prompt).toMatchObject({ value: sum((call) => call.prompt) })
        expect(tokens.completion).toMatchObject({ value: sum((call) => call.thinking + call.text) })
        if (service.caches) expect(tokens.cachedPrompt).toMatchObject({ value: sum((call) => call.cached) })
        if (service.rates)
          expect(cost.totalUsd).toMatchObject({
            value: expect.closeTo(
              sum((call) => call.usd),
              12,
            ),
          })
        else expect(cost.totalUsd).toMatchObject({ status: "unknown" })
      }
    },
    60_000,
  )

  it.each([
    ["anthropic", "ANTHROPIC_API_KEY", startAnthropicMock],
    ["gemini", "GEMINI_API_KEY", startGeminiMock],
    ["cohere", "COHERE_API_KEY", startCohereMock],
  ] as const)(
    "for %s through its own interface loses no call and meets no refusal",
    async (name, variable, start) => {
      const mock = await start(key)
      stop = mock.close
      const { report, stderr, doctor } = await runNewConfig(name, mock.baseUrl, variable, { isDoctored: true })
      expect(report.variants, stderr).toMatchObject(lossless)
      expect(doctor).toContain("Ready.")
      expect(report.variants.flatMap(({ notes }) => notes.filter((note) => note.includes("refused")))).toEqual([])
      expect(mock.bodies.length).toBe(22)
    },
    60_000,
  )

  it("for models of OpenAI's that reason loses no call, and notes what they refuse once", async () => {
    const service = chatServices.find(({ name }) => name === "openai") as ChatService
    const mock = await startChatService(service, key)
    stop = mock.close
    const { report, stderr } = await runNewConfig("openai", `${mock.baseUrl}/v1`, "OPENAI_API_KEY", {
      models: ["gpt-5.5", "gpt-5.4-mini"],
      edit: withPrice(service),
    })
    expect(report.variants, stderr).toMatchObject(lossless)
    for (const { notes, refusedRequests } of report.variants) {
      expect(notes.map((note) => note.split(":")[0])).toEqual(["temperature", "max_tokens"])
      expect(refusedRequests).toBe(2)
    }
    const usd = mock.billed.filter(({ model }) => model === "gpt-5.5").reduce((sum, call) => sum + call.usd, 0)
    expect(report.variants[0]?.cost.totalUsd).toMatchObject({ value: expect.closeTo(usd, 12) })
  }, 60_000)

  it("is written for every service that has a mock here", () => {
    const here = [...chatServices.map(({ name }) => name), "anthropic", "gemini", "cohere", "local"].sort()
    expect([...known.keys()].sort()).toEqual(here)
  })
})

/** What a user adds whose prices are in no book: of a deployment's name, or behind a proxy. */
function withPrice({ rates = {} }: ChatService): (config: string) => string {
  return (config) =>
    config.replaceAll(/(?:model|deployment): ("[^"]*")/g, (whole, name: string) => {
      const [input, cached, output] = rates[JSON.parse(name)] ?? [0, 0, 0]
      const price = { kind: "tokens", inputPerMillion: input, cachedInputPerMillion: cached, outputPerMillion: output }
      return `${whole}, price: ${JSON.stringify({ ...price, source: "the contract", date: "2026-11-01" })}`
    })
}
