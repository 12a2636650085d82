import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv } from "ajv"
import * as evalkit from "evalkit"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { completeChoices, services } from "../../../src/cli/init/choices.ts"
import { newFiles } from "../../../src/cli/init/files.ts"
import type { ConfigSchema, Schema } from "../../../src/config/yaml/config-schema.ts"
import { factories } from "../../../src/config/yaml/words.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const published = JSON.parse(readFileSync(`${root}reports/schema/config-1.schema.json`, "utf8")) as ConfigSchema
const validate = new Ajv({ strict: false }).compile(published)

describe("the published schema of configs", () => {
  it("knows every metric and provider of the front door, or says that it needs code", () => {
    const namesOf = (kind: string) => {
      const made = published.definitions[kind] as Schema
      return [...factories(made), ...(made["x-made"]?.code ?? [])]
    }
    expect(namesOf("Provider")).toEqual(
      expect.arrayContaining(["openai", "anthropic", "local", "recorded", "fromFunction"]),
    )
    expect(namesOf("Metric").length).toBeGreaterThan(90)
    for (const kind of ["Provider", "Metric", "Rubric", "Embedder", "ReportRenderer", "Dataset", "Prompt"])
      for (const name of namesOf(kind))
        expect(
          name.split(".").reduce<unknown>((inside, part) => Reflect.get(inside as object, part), evalkit),
          name,
        ).toBeDefined()
  })

  it("has no reference that leads nowhere", () => {
    const references = JSON.stringify(published).match(/"#\/definitions\/[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references))
      expect(published.definitions, reference).toHaveProperty([reference.slice('"#/definitions/'.length, -1)])
  })

  it.each([...services])("finds no fault in the config that init writes for %s", async (provider, service) => {
    const choices = await completeChoices({ provider }, null)
    const written = newFiles(choices, service, "./schema.json")[0]?.content ?? ""
    expect(validate(parse(written)), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each([
    ["a field that is not there", "varients: []"],
    ["a metric that is not there", "metrics: [exactMath]"],
    ["an option that is not there", "metrics: [{ rouge: { stm: true } }]"],
    ["a provider without its model", "variants: [{ provider: { openai: {} } }]"],
    ["two factories in one place", "metrics: [{ rouge: {}, bleu: {} }]"],
  ])("shows an editor %s", (_, text) => {
    expect(validate(parse(text))).toBe(false)
  })
})
