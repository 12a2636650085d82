import { execFileSync, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { contenders } from "./contenders.ts"

/**
 * The pipeline against its limit: `npx jiti benchmarks/pipeline/main.ts [prompts]` after `npm run build`.
 * One zero-latency server in its own process; each contender in a process of its own, one after the other.
 */
const prompts = process.argv[2] ?? "5000"
const jiti = fileURLToPath(new URL("../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url))
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const server = fork(jiti, [here("server.ts")], { stdio: ["ignore", "pipe", "inherit", "ipc"] })
const port = await new Promise<string>((resolve) => {
  server.stdout?.once("data", (data: Buffer) => resolve(data.toString().trim()))
})
const widths = [22, 14, 22, 14]
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |\n`
process.stdout.write(line(["contender", "evaluations/s", "CPU ms per evaluation", "peak MiB"]))
process.stdout.write(line(widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))))
try {
  for (const name of Object.keys(contenders)) {
    const output = execFileSync(
      process.execPath,
      [jiti, here("client.ts"), name, `http://127.0.0.1:${port}/v1`, prompts],
      {
        encoding: "utf8",
      },
    )
    const result = JSON.parse(output) as { perSecond: number; cpuMsPerEvaluation: number; peakMebibytes: number }
    process.stdout.write(
      line([name, result.perSecond.toFixed(0), result.cpuMsPerEvaluation.toFixed(3), result.peakMebibytes.toFixed(0)]),
    )
  }
} finally {
  server.kill()
}
