import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { startEchoEndpoint } from "../../test/support/package/echo-endpoint.ts"

// How long evalkit takes to start, each beside bare node: node --import jiti/register benchmarks/start/main.ts [folder of evalkit]
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../../", import.meta.url)))
const rounds = 15
const entry = (name: string) => pathToFileURL(join(folder, `dist/src/${name}.js`)).href
const program = join(folder, "dist/src/cli/bin.js")
const importing = (name: string) => ["--input-type=module", "--eval", `await import(${JSON.stringify(entry(name))})`]

const cases: Readonly<Record<string, readonly string[]>> = {
  "bare node": ["--input-type=module", "--eval", ""],
  'import "evalkit"': importing("index"),
  'import "evalkit/metrics"': importing("metrics"),
  'import "evalkit/stats"': importing("stats"),
  'import "evalkit/engine"': importing("engine"),
  "evalkit --help": [program, "--help"],
  "evalkit run --help": [program, "run", "--help"],
}

/** Prints the processor's milliseconds when the process ends: they tell more than the clock where others are at work. */
const cpuReport = `import { writeSync } from "node:fs"
process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)) })`

/** What one start took, in milliseconds. */
interface Took {
  readonly wallMs: number
  readonly cpuMs: number
}

function timed(parameters: readonly string[], cwd = tmpdir()): Promise<Took> {
  const start = performance.now()
  return new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(cpuReport)}`, ...parameters],
      {
        cwd,
        stdio: ["ignore", "ignore", "ignore", "pipe"],
        env: { ...process.env, OPENAI_API_KEY: "x" },
      },
    )
    let cpu = ""
    child.stdio[3]?.on("data", (text: Buffer) => (cpu += String(text)))
    child.on("error", fail)
    child.on("close", (code) => {
      if (code === 0) done({ wallMs: performance.now() - start, cpuMs: Number(cpu) })
      else fail(new Error(`code ${code}: ${parameters.join(" ")}`))
    })
  })
}

/** Milliseconds from the start of `evalkit run` to its first request. */
async function firstRequest(): Promise<number> {
  const project = mkdtempSync(join(tmpdir(), "evalkit-start-"))
  const endpoint = await startEchoEndpoint()
  const config = `import { defineConfig, exactMatch, inline, openai, variant } from "evalkit"
export default defineConfig({
  dataset: inline([{ input: "a", reference: "a" }]),
  variants: [variant({ provider: openai({ model: "echo", baseUrl: ${JSON.stringify(endpoint.baseUrl)} }) })],
  metrics: [exactMatch()],
})`
  writeFileSync(join(project, "eval.config.ts"), config)
  try {
    const start = Date.now()
    await timed([program, "run", "--no-html"], project)
    return (endpoint.firstAskedAt() ?? Number.NaN) - start
  } finally {
    await endpoint.close()
    rmSync(project, { recursive: true, force: true })
  }
}

const times = new Map<string, Took[]>()
const record = (name: string, took: Took) => times.set(name, [...(times.get(name) ?? []), took])
for (let round = 0; round < rounds; round++) {
  for (const [name, parameters] of Object.entries(cases)) record(name, await timed(parameters))
  if (round % 3 === 0) record("evalkit run, to its first request", { wallMs: await firstRequest(), cpuMs: Number.NaN })
}
console.log(`Node ${process.versions.node}, ${rounds} rounds in turn; milliseconds\n`)
console.log("| | median | fastest | processor, median |\n| --- | ---: | ---: | ---: |")
for (const [name, each] of times) {
  const sorted = (of: keyof Took) => each.map((took) => took[of]).toSorted((a, b) => a - b)
  const middle = (of: keyof Took) => sorted(of)[Math.floor(each.length / 2)] as number
  const shown = [middle("wallMs"), sorted("wallMs")[0] as number, middle("cpuMs")]
  console.log(`| ${name} | ${shown.map((ms) => (Number.isNaN(ms) ? "" : ms.toFixed(0))).join(" | ")} |`)
}
