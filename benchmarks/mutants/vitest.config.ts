import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { mergeConfig } from "vitest/config"
import suite from "../../vitest.config.ts"
import { compiled, type Mutant, withMutants } from "./mutants.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const mutants: readonly Mutant[] = JSON.parse(readFileSync(process.env.EVALKIT_MUTANTS ?? "", "utf8"))

/** The suite as it is, over sources that carry the sample's mutants. */
export default mergeConfig(suite, {
  root,
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      load(id: string) {
        const path = relative(root, id.split("?")[0] ?? id)
        const own = mutants.filter((mutant) => mutant.path === path)
        return own.length === 0 ? null : withMutants(compiled(root, path), own)
      },
    },
  ],
  test: { setupFiles: [fileURLToPath(new URL("setup.ts", import.meta.url))], experimental: { fsModuleCache: false } },
})
