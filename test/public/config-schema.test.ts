import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { configSchema } from "../../scripts/config-schema/config-schema.ts"
import { optionTablesOf, optionTablesText, type Tables } from "../../scripts/config-schema/option-tables.ts"
import { withProject } from "../../scripts/config-schema/with-project.ts"
import { optionTables } from "../../src/core/option-tables.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

let schema: unknown
let made: Tables
beforeAll(() => {
  withProject(root, (project) => {
    schema = configSchema(project, root)
    made = optionTablesOf(project, root)
  })
}, 180_000)

describe("the published schema of configs in YAML", () => {
  it("is what the types of the factories say now", () => {
    const published = JSON.parse(readFileSync(`${root}reports/schema/config-1.schema.json`, "utf8")) as unknown
    expect(published, "run: npm run docs:config-schema").toEqual(schema)
  })
})

describe("the tables of options", () => {
  const written = () => readFileSync(`${root}src/core/option-tables.ts`, "utf8")

  it("are what the types of the factories say now", () => {
    expect(written(), "run: npm run docs:config-schema").toBe(optionTablesText(made, optionTables))
  })

  it("lose what no type has, and keep the order of the rest", () => {
    const rouge = JSON.stringify({ ...JSON.parse(optionTables.rouge), gone: "text" })
    expect(optionTablesText(made, { ...optionTables, rouge })).toBe(written())
    const { name: _, ...others } = JSON.parse(optionTables.rouge) as Record<string, unknown>
    const added = JSON.stringify({ ...others, name: "text" })
    expect(optionTablesText(made, { ...optionTables, rouge: JSON.stringify(others) })).toContain(`rouge: '${added}'`)
  })
})
