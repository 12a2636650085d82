import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import type { CalledCli } from "../call-cli.ts"

/** Samples per example: enough to see it work, few enough for a test. */
const limits: Readonly<Record<string, number>> = {
  capacity: 12,
  quantization: 12,
  rag: 12,
  "fairness-audit": 12,
  robustness: 30,
  perplexity: 12,
  "mcp-files": 2,
  // All of its conversations, and tasks with tools.
  "tiny-agent": 8,
}

/** How a command line ended, in a process or as a function. */
type Ended = Omit<CalledCli, "code"> & { readonly code: number | null }

/** How an example's run ended, and where its store is: nobody changes it. */
interface ExampleRun extends Ended {
  readonly directory: string
}

/**
 * An example of this repository, run as it is: one run for all files of tests that look at it, by the first that asks; the others wait for
 * it. One that failed is not kept.
 *
 * @param run runs a command line in the repository's folder
 */
export async function exampleRun(name: string, run: (args: readonly string[]) => Promise<Ended>): Promise<ExampleRun> {
  const location = join(process.env.EVALKIT_TEST_RUNS as string, name)
  const [kept, lock, directory] = [`${location}.json`, `${location}.lock`, `${location}.store`]
  while (!taken(lock)) {
    await new Promise((resume) => setTimeout(resume, 100))
  }
  try {
    if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8")) as ExampleRun
    const limit = limits[name] === undefined ? [] : ["--limit", String(limits[name])]
    const ran = await run(["run", `examples/${name}/eval.config.ts`, "--directory", directory, "--json", ...limit])
    const result = { ...ran, directory }
    if (ran.code === 0 || ran.code === 4) {
      writeFileSync(`${kept}.new`, JSON.stringify(result))
      renameSync(`${kept}.new`, kept)
    }
    return result
  } finally {
    rmdirSync(lock)
  }
}

/** The path of the page that an example's run wrote. */
export function pageOfRun({ code, stderr, directory }: ExampleRun): string {
  expect([0, 4], stderr).toContain(code)
  const written = readdirSync(join(directory, "reports"))
  expect(written).toHaveLength(1)
  return join(directory, "reports", written[0] as string)
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  }
}
