/** One run, exported in every format and opened by the tool of each: see README.md. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { peersFolder, pythonWith } from "../environment.ts"
import { collect } from "./collector.ts"
import { writeRun } from "./run.ts"

const here = import.meta.dirname
const dist = resolve(here, "../../../dist/src")
const folder = join(peersFolder, "runs/exports")
const modules = ["inspect_ai", "mlflow", "wandb", "datasets", "duckdb", "opentelemetry.proto", "every_eval_ever"]
const python = pythonWith("exports", join(here, "requirements.txt"), modules, { python: ">=3.12" })
if (!existsSync(join(dist, "cli/bin.js"))) throw new Error(`${dist}: not built; run npm run build`)
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, "out"), { recursive: true })
writeRun(folder, join(dist, "index.js"))
// The gate fails on purpose.
evalkit([3], "run", "eval.config.ts", "--no-html", "--retries", "0")
for (const format of ["inspect", "mlflow", "every-eval-ever"])
  evalkit([0], "export", "-f", format, "-o", `out/${format}`)
for (const format of ["csv", "parquet", "junit", "otlp", "otlp-metrics", "otlp-logs", "wandb", "langfuse"])
  evalkit([0], "export", "-f", format, "-o", `out/x.${format}`)
evalkit([0], "export", "-f", "answers-csv", "--exact", "-o", "out/x.answers-csv")
evalkit([0], "export", "-f", "jsonl", "-o", "out/rows.jsonl")
evalkit([0], "export", "-f", "json", "-o", "out/report.json")
await bench()
await collect(folder)
process.exitCode =
  spawnSync(python, [join(here, "readers.py"), folder], { stdio: ["ignore", "inherit", "ignore"] }).status ?? 1

/** A load test, for monitoring: of the server of the logs' peers. */
async function bench(): Promise<void> {
  const store = ["--directory", ".bench"]
  const server = spawn(process.execPath, [resolve(here, "../logs/mock.mjs")], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    const port = await new Promise<string>((done) => server.stdout.once("data", (text) => done(String(text).trim())))
    const load = ["--model", "mock-a", "--requests", "24", "--concurrency", "1,4", "--max-tokens", "20"]
    evalkit([0], "bench", "--url", `http://127.0.0.1:${port}/v1`, ...load, ...store)
  } finally {
    server.kill()
  }
  for (const format of ["prometheus", "json"])
    evalkit([0], "export", "-f", format, "-o", `out/bench.${format}`, ...store)
}

function evalkit(codes: readonly number[], ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(dist, "cli/bin.js"), ...args], {
    cwd: folder,
    encoding: "utf8",
  })
  if (!codes.includes(status ?? 1)) throw new Error(`evalkit ${args.join(" ")}: ${stderr}`)
}
