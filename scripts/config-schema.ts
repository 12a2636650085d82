import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { configSchema } from "./config-schema/config-schema.ts"

// Writes the schema of eval.config.yaml from the types of the public factories: npm run docs:config-schema.
const root = fileURLToPath(new URL("..", import.meta.url))
writeFileSync(`${root}reports/schema/config-1.schema.json`, `${JSON.stringify(configSchema(root), null, 1)}\n`)
