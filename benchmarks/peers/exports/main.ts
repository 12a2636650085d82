/** One run, exported in every format and opened by the tool of each: see README.md. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { writeRun } from "./run.ts"

const here = import.meta.dirname
const dist = resolve(here, "../../../dist/src")
const peers = process.env.PEERS ?? join(tmpdir(), "evalkit-peers")
const [folder, requirements] = [join(peers, "runs/exports"), join(here, "requirements.txt")]
const at = process.argv.indexOf("--python")
const python = at > 0 ? (process.argv[at + 1] ?? "python3") : venv()
if (spawnSync(python, ["-c", "import inspect_ai, mlflow, wandb, datasets, duckdb, opentelemetry.proto"]).status !== 0) {
  console.error(`SKIPPED: ${python} has not all packages of ${requirements}`)
  process.exit(0)
}
if (!existsSync(join(dist, "cli/bin.js"))) throw new Error(`${dist}: not built; run npm run build`)
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, "out"), { recursive: true })
writeRun(folder, join(dist, "index.js"))
// The gate fails on purpose.
evalkit([3], "run", "eval.config.ts", "--no-html", "--retries", "0")
for (const format of ["inspect", "mlflow"]) evalkit([0], "export", "-f", format, "-o", `out/${format}`)
for (const format of ["csv", "parquet", "junit", "otlp", "otlp-metrics", "otlp-logs", "wandb"])
  evalkit([0], "export", "-f", format, "-o", `out/x.${format}`)
evalkit([0], "export", "-f", "answers-csv", "--exact", "-o", "out/x.answers-csv")
evalkit([0], "export", "-f", "jsonl", "-o", "out/rows.jsonl")
evalkit([0], "export", "-f", "json", "-o", "out/report.json")
process.exitCode =
  spawnSync(python, [join(here, "readers.py"), folder], { stdio: ["ignore", "inherit", "ignore"] }).status ?? 1

function evalkit(codes: readonly number[], ...given: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(dist, "cli/bin.js"), ...given], {
    cwd: folder,
    encoding: "utf8",
  })
  if (!codes.includes(status ?? 1)) throw new Error(`evalkit ${given.join(" ")}: ${stderr}`)
}

/** Python of an environment with the pinned packages, which is made where it is not there. */
function venv(): string {
  const bin = join(peers, "v/exports/bin")
  if (!existsSync(bin)) spawnSync("python3", ["-m", "venv", join(bin, "..")], { stdio: "inherit" })
  console.error(`Packages of ${requirements} in ${bin}, about 1,200 MB`)
  spawnSync(join(bin, "pip"), ["install", "-q", "-r", requirements], { stdio: "inherit" })
  return join(bin, "python")
}
