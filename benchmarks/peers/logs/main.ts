/** Logs that tools write on this machine, read by evalkit and compared with the tool's own figures: see README.md. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { factsOf, type LogFacts } from "./facts.ts"

/** A tool: what installs it, and what runs it in an empty folder. It prints a line `FIGURE {…}` for each figure of its own. */
interface Peer {
  readonly packages: readonly string[]
  /** Installed without what they require. */
  readonly withoutDependencies?: readonly string[]
  /** Where the tool needs a newer one than python3. */
  readonly python?: string
  run(bin: string, folder: string, url: string): string
}

/** A figure as the tool states it. */
interface Figure {
  readonly file: string
  readonly metric: string
  readonly n: number
  readonly mean: number
  /** 1e-9 by default. */
  readonly within?: number
}

const here = import.meta.dirname
const root = process.env.PEERS ?? join(tmpdir(), "evalkit-peers")

const script =
  (name: string) =>
  (bin: string, folder: string, url: string): string =>
    sh(join(bin, "python"), [join(here, "tools", `run_${name}.py`)], folder, url)

/** What lighteval requires, without PyTorch (5 GB), which only local models need; versions that its 0.13 runs with. */
const lightevalPackages = [
  ...[
    "transformers>=4.54",
    "inspect-ai",
    "openai",
    "huggingface_hub",
    "GitPython",
    "datasets>=4",
    "pydantic",
    "numpy>=2",
  ],
  ...["typer", "termcolor==2.3.0", "pytablewriter", "rich", "colorlog", "aenum==3.1.15", "nltk==3.9.1", "scikit-learn"],
  ...["sacrebleu", "rouge_score==0.1.2", "sentencepiece", "protobuf", "pycountry", "fsspec", "httpx", "langcodes"],
  ...["latex2sympy2_extended==1.0.6", "litellm[caching]==1.80.0", "diskcache", "xxhash<4"],
]

const peers: Readonly<Record<string, Peer>> = {
  inspect: { packages: ["inspect-ai", "openai"], run: script("inspect") },
  deepeval: { packages: ["deepeval"], run: script("deepeval") },
  litellm: { packages: ["litellm"], run: script("litellm") },
  ragas: { packages: ["ragas", "langchain-community<0.4", "rapidfuzz", "pyarrow"], run: script("ragas") },
  mlflow: { packages: ["mlflow"], run: script("mlflow") },
  promptfoo: { packages: [], run: promptfoo },
  lighteval: { packages: lightevalPackages, withoutDependencies: ["lighteval==0.13.0"], run: script("lighteval") },
  "inference-perf": { packages: ["inference-perf==0.7.0"], python: "python3.12", run: script("inferenceperf") },
  llmperf: { packages: ["ray", "transformers", "pandas", "pydantic<3", "litellm"], run: script("llmperf") },
  "genai-perf": { packages: ["genai-perf==0.0.16"], run: script("genaiperf") },
}

const names = process.argv.slice(2)
const server = spawn(process.execPath, [join(here, "mock.mjs")], { stdio: ["ignore", "pipe", "inherit"] })
const port = await new Promise<string>((done) => server.stdout.once("data", (text) => done(String(text).trim())))
const questions = Array.from({ length: 30 }, (_, i) => {
  const [question, answer] = [`${i}) What is ${i * 3} + ${i % 7}?`, String(i * 3 + (i % 7))]
  return { id: `q${i}`, question, input: question, answer, target: answer }
})
let different = 0
console.log("| tool | log | figure | n, tool | n, evalkit | tool | evalkit | equal |")
for (const [name, peer] of Object.entries(peers)) {
  if (names.length > 0 && !names.some((part) => name.includes(part))) continue
  try {
    const folder = join(root, "runs", name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "questions.jsonl"), questions.map((row) => `${JSON.stringify(row)}\n`).join(""))
    const printed = peer.run(installed(name, peer), folder, `http://127.0.0.1:${port}`)
    const figures = [...printed.matchAll(/^FIGURE (.*)$/gm)].map(([, json]) => JSON.parse(json as string) as Figure)
    if (figures.length === 0) throw new Error("it stated no figure")
    for (const figure of figures) {
      const read = figureIn(await factsOf(resolve(folder, figure.file)), figure.metric)
      const isEqual = read?.n === figure.n && Math.abs(read.mean - figure.mean) < (figure.within ?? 1e-9)
      if (!isEqual) different++
      const cells = [
        name,
        figure.file,
        figure.metric,
        figure.n,
        read?.n,
        figure.mean,
        read?.mean,
        isEqual ? "yes" : "NO",
      ]
      console.log(`| ${cells.join(" | ")} |`)
    }
  } catch (error) {
    console.log(`| ${name} | SKIPPED: ${String(error).split("\n")[0]?.slice(0, 200)} |`)
  }
}
server.kill()
process.exitCode = different > 0 ? 1 : 0

/** A virtual environment of the packages; its folder of programs. */
function installed(name: string, { packages, withoutDependencies = [], python = "python3" }: Peer): string {
  if (packages.length === 0) return ""
  const folder = join(root, "v", name)
  const bin = join(folder, "bin")
  if (!existsSync(bin)) {
    sh(python, ["-m", "venv", folder], root, "")
    sh(join(bin, "pip"), ["install", "-q", ...packages], root, "")
    if (withoutDependencies.length > 0)
      sh(join(bin, "pip"), ["install", "-q", "--no-deps", ...withoutDependencies], root, "")
  }
  return bin
}

function sh(command: string, given: readonly string[], cwd: string, url: string): string {
  const own = { MOCK: url, OPENAI_API_KEY: "x", MLFLOW_ALLOW_FILE_STORE: "true", DEEPEVAL_TELEMETRY_OPT_OUT: "YES" }
  const quiet = { RAGAS_DO_NOT_TRACK: "true", PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1" }
  const env = { ...process.env, ...own, ...quiet, PROMPTFOO_CONFIG_DIR: join(cwd, ".promptfoo") }
  return execFileSync(command, given, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 600_000,
  })
}

/** promptfoo of today, which needs Node 22 (a package of npm), with two providers; passes are those of its own summary. */
function promptfoo(_: string, folder: string, url: string): string {
  const modules = join(root, "v", "promptfoo")
  mkdirSync(modules, { recursive: true })
  if (!existsSync(join(modules, "node_modules")))
    sh("npm", ["i", "--no-audit", "--no-fund", "--prefix", modules, "promptfoo@latest", "node@22"], modules, "")
  const provider = (label: string) => ({ id: `openai:chat:${label}`, label, config: { apiBaseUrl: `${url}/v1` } })
  const tests = questions.map(({ question, answer: value }) => ({
    vars: { question },
    assert: [{ type: "equals", value }],
  }))
  const config = { providers: [provider("mock-a")], prompts: ["{{question}}"], tests }
  writeFileSync(join(folder, "promptfooconfig.json"), JSON.stringify(config))
  const [node, program] = [join(modules, "node_modules/node/bin/node"), join(modules, "node_modules/.bin/promptfoo")]
  const options = ["-c", "promptfooconfig.json", "--no-cache", "--no-table", "--no-progress-bar", "-o", "results.json"]
  try {
    sh(node, [program, "eval", ...options], folder, url)
  } catch {
    // It ends with 100 where a test did not pass.
  }
  const tool = `const { metrics } = require("./results.json").results.prompts[0]
    const n = metrics.testPassCount + metrics.testFailCount
    const say = (metric, mean) => console.log("FIGURE " + JSON.stringify({ file: "results.json", metric, n, mean }))
    say("pass", metrics.testPassCount / n), say("score", metrics.score / n)`
  return sh(process.execPath, ["-e", tool], folder, "")
}

/** A metric of the only variant; of logs without scores, a sum of all calls. */
function figureIn({ variants }: LogFacts, metric: string): { readonly n: number; readonly mean: number } | undefined {
  const [variant] = Object.values(variants)
  const sums = {
    "prompt tokens": variant?.inTokens,
    "completion tokens": variant?.outTokens,
    "US dollars": variant?.usd,
  }
  const sum = sums[metric as keyof typeof sums]
  const calls = Object.values(variant?.outcomes ?? {}).reduce((total, count) => total + count, 0)
  return sum === undefined ? variant?.scores[metric] : { n: calls, mean: sum }
}
