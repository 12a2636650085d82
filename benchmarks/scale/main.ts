/**
 * What large runs cost on one machine, by the commands that a user runs, on recorded answers: nothing is asked, so that all of it is
 * evalkit's own. Run: npm run build && npx jiti benchmarks/scale/main.ts [SAMPLES VARIANTS] (Linux)
 */
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { measureCommand } from "./measured-command.ts"
import { writeProject } from "./recorded-run.ts"

const [samples = 100_000, variants = 2] = process.argv.slice(2).map(Number)
const commands: readonly (readonly string[])[] = [
  ["run"],
  ["report", "-f", "html", "-o", "page.html"],
  ["compare", "v0", "v1"],
  ["export", "--format", "jsonl", "-o", "answers.jsonl"],
]
const folder = mkdtempSync(join(tmpdir(), "evalkit-scale-"))
try {
  writeProject(folder, { samples, variants })
  console.log(
    `${samples} samples × ${variants} variants; node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
  )
  for (const args of commands) {
    const { seconds, cpuSeconds, peakMegabytes, writtenMegabytes } = await measureCommand(args, folder)
    const figures = [seconds.toFixed(1), cpuSeconds.toFixed(1), peakMegabytes.toFixed(0), writtenMegabytes.toFixed(0)]
    console.log(`| evalkit ${args[0]} | ${figures.join(" | ")} | ${loadavg()[0]?.toFixed(1)} |`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
