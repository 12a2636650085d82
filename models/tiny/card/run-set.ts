import { spawnSync } from "node:child_process"
import { readFile, rm, stat } from "node:fs/promises"
import type { JsonObject } from "../../../src/core/json.ts"

/** One answer of one variant, beside the row of the data set that it answers. */
export interface Answer {
  readonly variant: string
  readonly id: string
  readonly text: string
  readonly correct: boolean
  readonly row: JsonObject
}

const program = "dist/src/cli/bin.js"
const directory = "build/card"

/**
 * Runs `evalkit run` with one size in every quantization on one bundled set, and reads the answers back with
 * `evalkit export`. Answers that are newer than the model are taken as they are.
 */
export async function runSet(set: string, size: string): Promise<readonly Answer[]> {
  const store = `models/tiny/${directory}/${set}-${size}`
  if (!(await isNewer(`${store}.jsonl`, `models/tiny/tiny-${size}-f16.gguf`))) {
    await rm(store, { recursive: true, force: true })
    const env = { ...process.env, TINY_SET: set, TINY_SIZE: size }
    evalkit(env, "run", "models/tiny/card.config.ts", "--directory", store, "--no-html")
    evalkit(env, "export", "--directory", store, "--out", `${store}.jsonl`)
  }
  const rows = new Map((await jsonLines(`datasets/data/tiny-${set}.jsonl`)).map((row) => [row.id, row]))
  return (await jsonLines(`${store}.jsonl`)).map((line) => ({
    variant: String(line.variant),
    id: String(line.sampleId),
    text: String(line.text),
    correct: (line.values as JsonObject).exactMatch === 1,
    row: rows.get(line.sampleId as string) as JsonObject,
  }))
}

async function isNewer(path: string, than: string): Promise<boolean> {
  const changed = (file: string) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
  return (await changed(path)) > (await changed(than))
}

function evalkit(env: NodeJS.ProcessEnv, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [program, ...args], { env, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error(`evalkit ${args.join(" ")} ended with ${status}`)
}

async function jsonLines(path: string): Promise<readonly JsonObject[]> {
  const text = await readFile(path, "utf8")
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject)
}
