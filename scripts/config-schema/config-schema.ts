import { join } from "node:path"
import type { Project, Symbol as TypeSymbol } from "typescript/unstable/sync"
import type { ConfigSchema } from "../../src/config/yaml/config-schema.ts"
import { exportedSymbol, publicValues } from "./public-values.ts"
import { SchemaWriter } from "./schema-writer.ts"

/**
 * The schema of `eval.config.yaml`, from the types of `EvaluationConfig` and of every public factory.
 *
 * @param root of the repository that the project is of
 */
export function configSchema(project: Project, root: string): ConfigSchema {
  const entry = join(root, "src/index.ts")
  const config: TypeSymbol = exportedSymbol(project, entry, "EvaluationConfig")
  const writer = new SchemaWriter(project.checker, publicValues(project, entry))
  const { properties, ...shape } = writer.members(project.checker.getDeclaredTypeOfSymbol(config))
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A config of evalkit: eval.config.yaml or eval.config.json",
    description:
      "Everything a config names is a value made by a factory: write the factory's name, or the name with its options. " +
      "Made from the types of evalkit by `npm run docs:config-schema`.",
    ...shape,
    properties: { $schema: { type: "string", description: "Where this schema is, for editors." }, ...properties },
    definitions: writer.definitions(),
  }
}
