import { createRequire } from "node:module"
import { dirname } from "node:path"

const require = createRequire(import.meta.url)

/** The version in package.json. */
export function packageVersion(): string {
  return (require("evalkit/package.json") as { version: string }).version
}

/** The folder that holds evalkit's package.json. */
export function packageFolder(): string {
  return dirname(require.resolve("evalkit/package.json"))
}
