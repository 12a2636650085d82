import { existsSync } from "node:fs"

/** The file of reference numbers with this name, whichever folder of test/golden holds it. */
export function goldenFile(name: string): URL {
  for (const folder of ["text", "stats", "models"]) {
    const url = new URL(`../golden/${folder}/${name}.jsonl`, import.meta.url)
    if (existsSync(url)) return url
  }
  throw new Error(`test/golden holds no ${name}.jsonl`)
}
