/**
 * What two logs of other tools cost on one machine, by the commands that a user runs: `compare A B` to a verdict, and `import A`.
 * Run: npm run build && npx jiti benchmarks/foreign-logs/main.ts [ANSWERS | part of a tool's name …] (Linux)
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { measureCommand } from "../scale/measured-command.ts"
import { writers } from "./write-logs.ts"

const input = process.argv.slice(2)
const numbers = input.map(Number).filter(Number.isFinite)
const counts = numbers.length > 0 ? numbers : [10_000, 100_000]
const names = input.filter((word) => !Number.isFinite(Number(word)))
const tools = Object.entries(writers).filter(
  ([tool]) => names.length === 0 || names.some((name) => tool.includes(name)),
)
console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`)
console.log("| log | answers | MB each | compare: s | CPU s | peak MB | import: s | CPU s | peak MB | load |")
for (const count of counts)
  for (const [tool, write] of tools) {
    const folder = mkdtempSync(join(tmpdir(), "evalkit-logs-"))
    try {
      const [a, b] = [write(folder, "a", count, 0), write(folder, "b", count, 1)]
      const megabytes = bytesOf(join(folder, a)) / 1e6
      // Its file holds the baseline's answers, too.
      const side = tool.startsWith("AlpacaEval") ? ":m" : ""
      const compared = await measureCommand(
        ["compare", `${a}${side}`, `${b}${side}`, "--margin", "0.02", "--json"],
        folder,
      )
      const imported = await measureCommand(["import", a], folder)
      const figures = [compared, imported].flatMap(({ seconds, cpuSeconds, peakMebibytes }) => [
        seconds.toFixed(1),
        cpuSeconds.toFixed(1),
        peakMebibytes.toFixed(0),
      ])
      console.log(`| ${[tool, count, megabytes.toFixed(0), ...figures, loadavg()[0]?.toFixed(1)].join(" | ")} |`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

/** Of a file, or of all files of a folder. */
function bytesOf(path: string): number {
  const result = statSync(path)
  return result.isFile() ? result.size : readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}
