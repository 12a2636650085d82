import { execFile } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Busy, Row } from "./client.ts"
import { contenders } from "./contenders.ts"

/** Every contender at every concurrency, each in a fresh process against a truth server in another; prints the table. */
const levels: readonly (readonly [concurrency: number, busy: Busy])[] = [
  [1, "idle"],
  [8, "idle"],
  [32, "idle"],
  [128, "idle"],
  [64, "thread"],
]

/** Whose code the process runs: two threads more on two processors only take them from each other. */
const measured = Object.keys(contenders).filter((name) => !name.includes("2 capture threads"))

const besides: Readonly<Record<Busy, string>> = {
  idle: "",
  process: " + scoring",
  thread: " + scoring in the asking thread",
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
print("| concurrency | client | TTFT error p50 (ms) | p99 | ITL error p50 (µs) | p99 (ms) | CPU per chunk (µs) |")
print("| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
for (const [concurrency, busy] of levels)
  for (const contender of measured) {
    const row = await measure(contender, concurrency, busy)
    const cells = [
      `${concurrency}${besides[busy]}`,
      contender,
      cell(row.ttftErrorP50, 2),
      cell(row.ttftErrorP99, 2),
      cell(row.itlErrorP50, 0, 1000),
      cell(row.itlErrorP99, 2),
      cell(row.cpuMicrosecondsPerChunk, 1),
    ]
    print(`| ${cells.join(" | ")} |`)
  }

function cell(value: number | null, decimals: number, scale = 1): string {
  return value === null ? "–" : (value * scale).toFixed(decimals)
}

async function measure(contender: string, concurrency: number, busy: Busy): Promise<Row> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL("./client.js", import.meta.url)), contender, String(concurrency), busy],
    { timeout: 120_000 },
  )
  return JSON.parse(stdout) as Row
}
