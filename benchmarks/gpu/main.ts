import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"

/**
 * Watts, tokens a second and joules per correct answer of a model that is served on a GPU of this machine: sums are asked over the serving
 * command that stands behind `--`, by `evalkit run` and then by `evalkit bench`, as a user would run them. Prints Markdown for README.md.
 *
 * node --import jiti/register benchmarks/gpu/main.ts --port 8000 --model NAME -- vllm serve NAME --port 8000
 */
const root = fileURLToPath(new URL("../..", import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string" },
    model: { type: "string" },
    health: { type: "string", default: "/health" },
    samples: { type: "string", default: "200" },
    concurrency: { type: "string", default: "1,8,32" },
    requests: { type: "string", default: "200" },
  },
})
const [command, ...args] = positionals
if (!command || !values.port || !values.model) {
  console.error("usage: benchmarks/gpu/main.ts --port PORT --model NAME -- COMMAND ARGUMENTS…")
  process.exit(2)
}
const smi = spawnSync("nvidia-smi", ["-L"], { encoding: "utf8" })
if (smi.error || smi.status !== 0) {
  console.log("Not measured: this machine has no nvidia-smi that answers, so no GPU of NVIDIA's that could be read.")
  process.exit(4)
}

const folder = mkdtempSync(join(tmpdir(), "evalkit-gpu-benchmark-"))
try {
  writeFileSync(join(folder, "sums.jsonl"), sums(Number(values.samples)))
  writeFileSync(join(folder, "eval.config.ts"), config(command, args, Number(values.port), values.model))
  const report = evalkit(["run", "--no-html", "--json"]) as RunReport
  const levels = evalkit(["bench", "--concurrency", values.concurrency, "--requests", values.requests, "--json"])
  console.log(markdown(report, levels as readonly Level[]))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Questions whose answers are known, and that a model of any language can read. */
function sums(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = [17 + ((i * 37) % 83), 11 + ((i * 53) % 89)]
    return `${JSON.stringify({ id: `s${i}`, input: `What is ${a} + ${b}? Answer with the number only.`, reference: String(a + b) })}\n`
  }).join("")
}

function config(program: string, programArgs: readonly string[], port: number, model: string): string {
  const origin = `http://127.0.0.1:${port}`
  const served = {
    command: program,
    args: programArgs,
    model,
    baseUrl: `${origin}/v1`,
    readiness: { url: `${origin}${values.health}`, timeoutMs: 1_800_000 },
  }
  const library = pathToFileURL(join(root, "dist/src/index.js")).href
  return `import { command, dataset, defineConfig, numericMatch, variant } from ${JSON.stringify(library)}
export default defineConfig({ dataset: dataset("sums.jsonl"), metrics: [numericMatch()], concurrency: 8,
  variants: [variant({ name: "served", provider: command(${JSON.stringify(served)}), parameters: { temperature: 0, maxTokens: 64 } })] })
`
}

function evalkit(options: readonly string[]): unknown {
  const { stdout, status, signal } = spawnSync(process.execPath, [join(root, "dist/src/cli/bin.js"), ...options], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 30,
  })
  if (status === null || status === 1 || status === 2 || stdout === "")
    throw new Error(`evalkit ${options.join(" ")} ended with ${status ?? signal}`)
  return JSON.parse(stdout)
}

/** What of a level of `evalkit bench --json` is shown. */
interface Level {
  readonly concurrency: number
  readonly ttft_ms: { readonly p50: number | null }
  readonly tpot_ms: { readonly p50: number | null }
  readonly system_tps: number | null
  readonly compared: { readonly tps_per_user: number | null; readonly tps_per_gpu: number | null }
  readonly resources: {
    readonly gpu: { readonly names?: readonly string[]; readonly driver?: string | null } | null
  } | null
}

function markdown(report: RunReport, levels: readonly Level[]): string {
  const [variant] = report.variants as readonly [VariantReport]
  const { resources, quality, speed } = variant
  const gpu = levels[0]?.resources?.gpu
  const number = (value: number | null | undefined) =>
    value == null ? "unknown" : String(Number(value.toPrecision(4)))
  const rows = levels.map(
    ({ concurrency, ttft_ms, tpot_ms, system_tps, compared }) =>
      `| ${concurrency} | ${number(ttft_ms.p50)} | ${number(tpot_ms.p50)} | ${number(system_tps)} | ${number(compared.tps_per_user)} | ${number(compared.tps_per_gpu)} |`,
  )
  return `${[...new Set(gpu?.names ?? ["no GPU that runs a process of the server"])].join(", ")}, driver ${gpu?.driver ?? "unknown"}; \`${[command, ...args].join(" ")}\`; Node ${process.versions.node}

| of ${variant.finished} answers, 8 in flight | |
| --- | ---: |
| right | ${number(figureValue(quality[0]?.figure))} |
| power while serving, W | ${number(figureValue(resources.meanWatts))} |
| total TPS | ${number(figureValue(speed.systemTokensPerSecond))} |
| joules per token | ${number(figureValue(resources.joulesPerToken))} |
| joules per answer | ${number(figureValue(resources.joulesPerAnswer))} |
| joules per correct answer | ${number(figureValue(resources.joulesPerCorrect))} |
| load, s | ${number((figureValue(resources.loadMs) ?? Number.NaN) / 1000)} |

| in flight | TTFT p50, ms | TPOT p50, ms | total TPS | tokens/s per user | tokens/s per GPU |
| ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`
}
