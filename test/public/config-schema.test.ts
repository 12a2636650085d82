import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { configSchema } from "../../scripts/config-schema/config-schema.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

describe("the published schema of configs in YAML", () => {
  it("is what the types of the factories say now", { timeout: 180_000 }, () => {
    const published = JSON.parse(readFileSync(`${root}reports/schema/config-1.schema.json`, "utf8")) as unknown
    expect(published, "run: npm run docs:config-schema").toEqual(configSchema(root))
  })
})
