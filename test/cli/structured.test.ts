import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { LevelsData, ReportSection } from "../../src/core/report/report-sections.ts"
import { callCli } from "../support/call-cli.ts"
import { type PickyOptions, type PickyService, startPickyService } from "../support/picky-service.ts"
import { scratchDirectory } from "../support/scratch.ts"

let service: PickyService
afterEach(() => service.close())

type Body = Readonly<Record<string, unknown>>
const modeOf = (body: Body) => (body.response_format as { type?: string } | undefined)?.type ?? "none"
const numberOf = (body: Body) => Number(/item (\d+)/.exec(JSON.stringify(body.messages))?.[1])

/** Answers by mode: a schema is kept, JSON mode forgets a field in one of ten, the prompt alone gets prose in one of five. */
function answer({ body }: { readonly body: Body }): string {
  const number = numberOf(body)
  if (modeOf(body) === "json_object" && number % 10 === 3) return '{"town":"Paris"}'
  if (modeOf(body) === "none" && number % 5 === 1) return "Sure! The city is Paris."
  return '{"city":"Paris"}'
}

/** As OpenAI's chat completions: JSON mode wants the word in the prompt. */
function refuse({ body }: { readonly body: Body }) {
  if (modeOf(body) !== "json_object" || /json/i.test(JSON.stringify(body.messages))) return null
  const message =
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
  return { status: 400, message }
}

const index = new URL("../../dist/src/index.js", import.meta.url).href

async function run(options: PickyOptions): Promise<{ readonly data: LevelsData; readonly text: string }> {
  service = await startPickyService(options)
  const folder = scratchDirectory()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, contains, jsonMatch, openai, sweep, variant } from ${JSON.stringify(index)}
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false }
const provider = openai({ model: "m", baseUrl: "${service.url}", apiKeyVariable: null })
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 10, source: "test", date: "2026-11-22" } as const
export default defineConfig({
  dataset: Array.from({ length: 60 }, (_, i) => ({ id: "s" + i, input: "Which city, item " + i + "?", reference: "Paris" })),
  variants: sweep({ structured: ["schema", "json", "prompt"] }, ({ structured }) =>
    variant({ name: "v", provider, price, parameters: { structured, jsonSchema: { name: "city", schema } } })),
  metrics: [contains(), jsonMatch({ name: "valid", schema })],
  margin: 0.1,
})
`,
  )
  const { stdout, stderr } = await callCli(["run"], { cwd: folder })
  const { stdout: json } = await callCli(["report", "--format", "json"], { cwd: folder })
  const { sections } = JSON.parse(json) as { readonly sections: readonly ReportSection[] }
  const section = sections.find(({ kind }) => kind === "levels")
  if (section?.kind !== "levels") throw new Error(stdout + stderr)
  return { data: section.data, text: stdout }
}

const figureOf = (data: LevelsData, level: number, metric: number) => {
  const figure = data.levels[level]?.quality[metric]
  return figure?.status === "known" ? figure.value : null
}

describe("structured output as an axis", () => {
  it("compares validity, quality, time and cost by mode", async () => {
    const { data, text } = await run({
      answer,
      refuse,
      usage: () => ({ prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 }),
    })
    expect(data.axis).toBe("structured")
    expect(data.metrics.map(({ name }) => name)).toEqual(["contains", "valid"])
    expect(data.levels.map(({ level }) => level)).toEqual(["schema", "json", "prompt"])
    expect([0, 1, 2].map((level) => figureOf(data, level, 1))).toEqual([1, 0.9, 0.8])
    for (const level of data.levels) {
      expect(level.costUsd.status).toBe("known")
      expect(level.e2eMs.status).toBe("known")
      expect(level.without).toEqual([])
    }
    expect(text).toMatch(/structured +contains +valid +first answer token/)
    const schemaIn = (mode: string) =>
      service.seen.filter(({ body }) => modeOf(body) === mode && JSON.stringify(body.messages).includes("JSON schema"))
    expect(schemaIn("json_schema")).toHaveLength(0)
    expect(schemaIn("json_object")).toHaveLength(60)
    expect(schemaIn("none")).toHaveLength(60)
  })

  it("says where an endpoint refused the mode that was asked for", async () => {
    const { data, text } = await run({
      answer,
      refuse: (request) =>
        modeOf(request.body) === "json_schema"
          ? { status: 400, message: "This model does not support response_format of type json_schema" }
          : refuse(request),
    })
    expect(data.levels.map(({ without }) => without)).toEqual([["response_format (60 of 60 answers)"], [], []])
    expect(text.replace(/\s+/g, " ")).toContain(
      "structured schema was answered without response_format (60 of 60 answers): it shows another setting than was asked for.",
    )
  })
})
