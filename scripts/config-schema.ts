import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { optionTables } from "../src/core/option-tables.ts"
import { configSchema } from "./config-schema/config-schema.ts"
import { optionTablesOf, optionTablesText } from "./config-schema/option-tables.ts"
import { withProject } from "./config-schema/with-project.ts"

// Writes the schema of eval.config.yaml and the tables of options from the types of the public factories: npm run docs:config-schema.
const root = fileURLToPath(new URL("..", import.meta.url))
withProject(root, (project) => {
  const schema = JSON.stringify(configSchema(project, root), null, 1)
  writeFileSync(`${root}reports/schema/config-1.schema.json`, `${schema}\n`)
  writeFileSync(`${root}src/core/option-tables.ts`, optionTablesText(optionTablesOf(project, root), optionTables))
})
