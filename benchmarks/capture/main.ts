import { execFile } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Row } from "./client.ts"
import { contenders } from "./contenders.ts"

/** Every contender at every concurrency, each in a fresh process against a truth server in another; prints the table. */
const levels: readonly (readonly [concurrency: number, busy: boolean])[] = [
  [1, false],
  [8, false],
  [32, false],
  [128, false],
  [32, true],
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
print("| concurrency | client | TTFT error p50 (ms) | p99 | ITL error p50 (µs) | p99 (ms) | CPU per chunk (µs) |")
print("| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
for (const [concurrency, busy] of levels)
  for (const contender of Object.keys(contenders)) {
    const row = await measure(contender, concurrency, busy)
    const cells = [
      `${concurrency}${busy ? " + scoring" : ""}`,
      contender,
      row.ttftErrorP50.toFixed(2),
      row.ttftErrorP99.toFixed(2),
      (row.itlErrorP50 * 1000).toFixed(0),
      row.itlErrorP99.toFixed(2),
      row.cpuMicrosecondsPerChunk.toFixed(1),
    ]
    print(`| ${cells.join(" | ")} |`)
  }

async function measure(contender: string, concurrency: number, busy: boolean): Promise<Row> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "--import",
      "jiti/register",
      fileURLToPath(new URL("./client.ts", import.meta.url)),
      contender,
      String(concurrency),
      ...(busy ? ["busy"] : []),
    ],
    { timeout: 120_000 },
  )
  return JSON.parse(stdout) as Row
}
