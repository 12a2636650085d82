/** Harnesses ask one server the same questions: what it took, what they say beside the server, and what a kill costs. See README.md. */
import { fork } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { peersFolder } from "../environment.ts"
import { type Command, measureTree } from "./measure.ts"
import { costOf, knownAnswers, price } from "./questions.ts"
import { type Harness, harnesses, type Line, type Said } from "./tools.ts"

const root = resolve(import.meta.dirname, "../../..")
if (!existsSync(join(root, "dist/src/cli/bin.js"))) throw new Error("dist: not built; run npm run build")
const names = process.argv.slice(2).filter((name) => !(Number(name) > 0))
const size = Number(process.argv.slice(2).find((number) => Number(number) > 0) ?? 1000)
const folder = join(peersFolder, "runs/harnesses")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const answers = knownAnswers(size, process.env.EVALKIT_REFERENCE_DATA)
const write = (file: string, rows: readonly object[]) =>
  writeFileSync(join(folder, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
write("answers.jsonl", answers)

const program = join(root, "benchmarks/scale/throughput/answer-server.mjs")
const server = fork(program, ["0", "127.0.0.1", join(folder, "answers.jsonl")], { silent: true })
const url = await new Promise<string>((done) => server.stdout?.once("data", (text) => done(String(text).trim())))

/** What the server has seen since it was last asked to forget. */
interface Count {
  readonly asked: number
  readonly different: number
  readonly received: number
  readonly e2eMs: readonly number[]
  readonly ttftMs: readonly number[]
}
const count = async (method = "GET") => (await (await fetch(`${url}/count`, { method })).json()) as Count
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const show = (value: number | null | undefined, digits: number) => value?.toFixed(digits) ?? "not said"
const head = (...cells: readonly string[]) =>
  console.log(`| ${cells.join(" | ")} |\n| ${cells.map((_, i) => (i ? "---:" : "---")).join(" | ")} |`)

try {
  const usd = costOf(answers).toFixed(4)
  console.log(`Truth: ${answers.length} questions, accuracy 0.700, ${usd} US dollars; 16 at once take at least`)
  console.log(`${(answers.reduce((sum, { ms }) => sum + ms, 0) / 16_000).toFixed(1)} s.\n`)
  head(
    ...["tool", "wall s", "CPU s", "peak MB", "requests", "accuracy", "p50 ms, tool", "p50 ms, server", "US dollars"],
    ...["killed at", "requests in all", "asked again", "results, different"],
  )
  for (const [name, harness] of Object.entries(harnesses)) {
    if (names.length > 0 && !names.includes(name)) continue
    try {
      console.log(`| ${(await row(name, harness)).join(" | ")} |`)
    } catch (error) {
      console.log(`| ${name} | SKIPPED: ${String(error).split("\n")[0]?.slice(0, 300)} |`)
      process.exitCode = 1
    }
  }
} finally {
  server.kill()
}

async function row(name: string, harness: Harness): Promise<readonly (string | number)[]> {
  const whole = prepare(name)
  await count("DELETE")
  const cost = await measureTree(command(whole, harness.start(whole, url)))
  const seen = await count()
  const said = harness.read(whole)
  const others = Object.entries(said.others ?? {}).map(([figure, value]) => `${figure} ${value}`)
  if (seen.ttftMs.length > 0) others.push(`server's TTFT p50 ${show(median(seen.ttftMs), 1)}`)
  return [
    `${name} ${said.version}`,
    ...[cost.seconds.toFixed(1), cost.cpuSeconds.toFixed(1), cost.peakMebibytes.toFixed(0), seen.received],
    [said.accuracy.toFixed(3), ...others].join("; "),
    ...[show(said.p50Ms, 1), show(median(seen.e2eMs), 1), show(said.usd, 4)],
    ...(await killed(name, harness)),
  ]
}

/** Kills the tool once half of the questions have come in, resumes it, and counts requests and results. */
async function killed(name: string, harness: Harness): Promise<readonly (string | number)[]> {
  const half = prepare(`${name}-killed`)
  await count("DELETE")
  const start = harness.start(half, url)
  await measureTree(command(half, start), async () => (await count()).received >= answers.length / 2)
  const before = (await count()).received
  for (const line of harness.resume?.() ?? [start]) await measureTree(command(half, line))
  const after = await count()
  const said: Said = harness.read(half)
  return [before, after.received, after.received - after.different, `${said.ids.length}, ${new Set(said.ids).size}`]
}

function prepare(name: string): string {
  const made = join(folder, name)
  mkdirSync(made)
  write(
    join(name, "questions.jsonl"),
    answers.map(({ id, input, target }) => ({ id, input, target, answer: `#### ${target}` })),
  )
  writeFileSync(join(made, "price.json"), JSON.stringify(price))
  return made
}

function command(cwd: string, [first, ...args]: Line): Command {
  const quiet = {
    ...{ DEEPEVAL_TELEMETRY_OPT_OUT: "YES", PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1" },
    ...{ HF_HUB_OFFLINE: "1", HF_DATASETS_CACHE: join(cwd, "hf"), PROMPTFOO_CONFIG_DIR: join(cwd, ".promptfoo") },
  }
  const python = { PYTHONPATH: join(root, "benchmarks/peers/logs/tools"), OPENAI_BASE_URL: `${url}/v1` }
  return { program: first, args, cwd, env: { ...process.env, ...quiet, ...python, SERVER: url, OPENAI_API_KEY: "x" } }
}
