import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { messageOf, UsageError } from "../../core/errors.ts"
import { placeOfPath } from "./config-node.ts"
import type { ConfigSchema } from "./config-schema.ts"
import { type Fault, planFault } from "./plan.ts"
import { planMap } from "./plan-map.ts"
import { plannerOf } from "./planner.ts"
import { readDocument } from "./read-document.ts"
import { got } from "./words.ts"

/** A config that was read from YAML or JSON, its values made. */
export interface WrittenConfig {
  readonly config: unknown
  /** file:line:column of a path such as `variants[1].prompt`. */
  readonly placeOf: (path: string) => string
}

/** Whether a config is written in YAML or JSON, by its name. */
export function isWritten(path: string): boolean {
  return /\.(ya?ml|json)$/i.test(path)
}

/**
 * Reads a config that is YAML or JSON: every value that a factory makes is named by the factory. Runs no code of the file; a factory
 * gets what the schema knows and nothing else.
 *
 * @param values what `import * as evalkit from "evalkit"` gives
 * @throws UsageError `config_syntax` or `config_invalid`, each fault with file:line:column
 */
export async function readConfig(
  path: string,
  shown: string,
  values: Readonly<Record<string, unknown>>,
): Promise<WrittenConfig> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`the config cannot be read: ${messageOf(error)}`, {
      code: "config_import",
      where: shown,
      cause: error,
    })
  })
  const { root, locate } = await readDocument(text, shown, /\.json$/i.test(path))
  const schema = createRequire(import.meta.url)("evalkit/config-schema.json") as ConfigSchema
  const plan =
    root.kind === "map"
      ? planMap(root, schema, "config", plannerOf(schema.definitions))
      : planFault(root.at, `config: expected fields such as variants and metrics, got ${got(root)}`)
  if (plan.faults.length > 0) throw invalid(plan.faults, locate)
  const publicValue = (name: string) =>
    name.split(".").reduce<unknown>((inside, key) => Reflect.get(inside as object, key), values)
  const { $schema: _, ...config } = plan.make({ publicValue, folder: dirname(path), locate }) as Readonly<
    Record<string, unknown>
  >
  return { config, placeOf: (inside) => locate(placeOfPath(root, inside)) }
}

/** More faults than these are not read by anyone. */
const maxShown = 20

function invalid(faults: readonly Fault[], locate: (at: number) => string): UsageError {
  const lines = faults.toSorted((a, b) => a.at - b.at).map(({ at, message }) => `${locate(at)}: ${message}`)
  const rest = lines.length - maxShown
  return new UsageError("the config is not valid", {
    code: "config_invalid",
    where:
      lines.length === 1
        ? (lines[0] as string)
        : `\n${lines
            .slice(0, maxShown)
            .map((line) => `  ${line}`)
            .join("\n")}${rest > 0 ? `\n  and ${rest} more` : ""}`,
  })
}
