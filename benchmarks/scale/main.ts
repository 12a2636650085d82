/**
 * What large runs cost on one machine, by the commands that a user runs, on recorded answers: nothing is asked, so that all of it is
 * evalkit's own. Run: npm run build && npx jiti benchmarks/scale/main.ts [SAMPLES VARIANTS METRICS FOLDER] (Linux); METRICS is one or
 * five. A folder that is named is kept, and a run that is in it already is not made again; a
 * project of another size is refused.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { measureCommand } from "./measured-command.ts"
import { metricSets, projectIn } from "./recorded-run.ts"

const [samples = 100_000, variants = 2] = process.argv.slice(2, 4).map(Number)
const metrics = process.argv[4] === "five" ? "five" : "one"
/** Commands by the name of the run that the first one makes. */
const commands: readonly ((run: string) => readonly string[])[] = [
  () => ["run"],
  // What is stored already, scored anew, with figures, intervals, comparison and verdict.
  (run) => ["score", run],
  () => ["report", "-f", "html", "-o", "page.html"],
  () => ["compare", "v0", "v1"],
  () => ["export", "--format", "jsonl", "-o", "answers.jsonl"],
]
const kept = process.argv[5]
const folder = kept ?? mkdtempSync(join(tmpdir(), "evalkit-scale-"))
try {
  projectIn(folder, { samples, variants, metrics })
  console.log(
    `${samples} samples × ${variants} variants, ${metricSets[metrics]}; node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
  )
  for (const command of commands) {
    const args = command(runIn(folder))
    if (args[0] === "run" && runIn(folder) !== "") continue
    const { seconds, cpuSeconds, peakMebibytes, writtenMegabytes } = await measureCommand(args, folder)
    const figures = [seconds.toFixed(1), cpuSeconds.toFixed(1), peakMebibytes.toFixed(0), writtenMegabytes.toFixed(0)]
    console.log(`| evalkit ${args[0]} | ${figures.join(" | ")} | ${loadavg()[0]?.toFixed(1)} |`)
  }
  const store = join(folder, ".evalkit")
  const files = readdirSync(store).filter((name) => name.startsWith("evalkit.db"))
  const bytes = files.reduce((sum, name) => sum + statSync(join(store, name)).size, 0)
  console.log(`store: ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / samples / variants).toFixed(0)} bytes an answer`)
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

/** The run whose page is in the folder; empty where there is none yet. */
function runIn(folder: string): string {
  const reports = join(folder, ".evalkit", "reports")
  const [page = ""] = existsSync(reports) ? readdirSync(reports).filter((name) => name.endsWith(".html")) : []
  return page.replace(".html", "")
}
