import { createRequire } from "node:module"

/** The version in package.json. */
export function packageVersion(): string {
  const require = createRequire(import.meta.url)
  return (require("evalkit/package.json") as { version: string }).version
}
