import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
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

/** Runs `evalkit run` with every variant on one bundled set, and reads the answers back with `evalkit export`. */
export async function runSet(set: string): Promise<readonly Answer[]> {
  const store = `models/tiny/${directory}/${set}`
  evalkit(set, "run", "models/tiny/card.config.ts", "--directory", store, "--no-html")
  evalkit(set, "export", "--directory", store, "--out", `${store}.jsonl`)
  const rows = new Map((await jsonLines(`datasets/data/tiny-${set}.jsonl`)).map((row) => [row.id, row]))
  return (await jsonLines(`${store}.jsonl`)).map((line) => ({
    variant: String(line.variant),
    id: String(line.sampleId),
    text: String(line.text),
    correct: (line.values as JsonObject).exactMatch === 1,
    row: rows.get(line.sampleId as string) as JsonObject,
  }))
}

function evalkit(set: string, ...args: readonly string[]): void {
  const env = { ...process.env, TINY_SET: set }
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
