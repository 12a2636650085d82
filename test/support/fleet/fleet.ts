import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { queueName } from "../../../src/pipeline/distribute/task.ts"
import { postgres } from "../../../src/store/postgres.ts"
import { cliPath } from "../cli.ts"

/** What a fleet of processes runs. */
export interface FleetOptions {
  readonly folder: string
  /** Queue and store, as the command line takes them. */
  readonly queue: string
  /** Null: the file in the folder. */
  readonly store: string | null
  /** What the config's providers ask before they answer from their record; null: nobody. */
  readonly askUrl: string | null
  readonly concurrency: number
  /** More of the processes' environment. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A process of the fleet. */
export interface FleetProcess {
  readonly name: string
  readonly child: ChildProcess
  /** What it has said so far. */
  said(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Coordinators and workers as processes of their own, ended by their ids. */
export interface Fleet {
  /** Ends with the first run that it took part in, or with a signal. */
  worker(name: string, stay?: { readonly stays: boolean }): FleetProcess
  coordinator(args?: readonly string[]): FleetProcess
  /** One process that does it all, in a folder of its own. */
  single(args?: readonly string[]): FleetProcess
  /** Kills what still runs. */
  end(): void
}

/** Three variants with recorded answers and timings: what is in the report is a function of the record. */
export function writeFleetProject(folder: string, samples: number, { isJudged = false } = {}): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, openai, recorded, renderers, rouge, rubric, rubrics, variant } from "evalkit"
const { ASK_URL, JUDGE_URL, WORKER = "single", CONCURRENCY = "4" } = process.env
const ask = async (key: string) => {
  if (ASK_URL) await fetch(ASK_URL, { method: "POST", body: key, headers: { "x-worker": WORKER } }).then((answer) => answer.text())
}
const rows = (of: number) => Array.from({ length: ${samples} }, (_, i) => ({
  id: \`s\${i}\`, text: (i * 7 + of) % (9 + 2 * of) === 0 ? "other" : \`text \${i}\`,
  ttftMs: 100 + ((i * 7) % 31) + of, e2eMs: 300 + ((i * 13) % 57), usage: { promptTokens: 10, completionTokens: 5 },
}))
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "bench", date: "2026-01-01" }
const asking = (name: string, of: number) => {
  const provider = recorded(rows(of), { model: name })
  return { ...provider, price, async open(context) {
    const session = await provider.open(context)
    return { ...session, async request(request, options) {
      await ask(name + " " + options.sampleId)
      return session.request(request, options)
    } }
  } }
}
const judge = openai({ model: "judge", baseUrl: JUDGE_URL, apiKeyVariable: null, headers: { "x-worker": WORKER }, price })
export default defineConfig({
  name: "fleet", dataset: dataset("data.jsonl"), concurrency: Number(CONCURRENCY), reports: [renderers.json()],
  variants: ["a", "b", "c"].map((name, of) => variant({ name, provider: asking(name, of), price })),
  metrics: [exactMatch()${isJudged ? ", rouge(), rubric({ provider: judge, rubric: rubrics.correctness })" : ""}],
})
`,
  )
}

/** The queue of the project of {@link writeFleetProject} with a store in PostgreSQL, which is made where it is new. */
export function queueOfFleet(store: string): string {
  const opened = postgres(store).open()
  const name = queueName({ name: "fleet" }, opened)
  opened.close()
  return name
}

/** The newest run's report, but for its id and what takes time anew: what must be the same however a run was made. */
export function comparableReport(store: RunStore): string {
  const [record] = store.runs()
  const { run, ...report } = store.report(record!.id)!
  store.close()
  return JSON.stringify(
    {
      ...report,
      run: { ...run, id: "", startedAt: "", finishedAt: "", durationMs: 0, versions: {} },
    },
    // A judge that is asked anew takes its own time.
    (key, value: unknown) => (key === "time per 1,000 verdicts" ? undefined : value),
    1,
  )
}

/** Resolves when a worker listens to the queue. @throws after 40 seconds */
export async function waitsForSlices({ said, ended }: FleetProcess): Promise<void> {
  const until = Date.now() + 40_000
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!said().includes("waits for slices")) {
    if (isOver || Date.now() > until) throw new Error(`the worker does not wait for slices: ${said()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Prepares a fleet; nothing runs yet. */
export function createFleet(options: FleetOptions): Fleet {
  const running = new Set<ChildProcess>()
  const start = (name: string, args: readonly string[]): FleetProcess => {
    const child = spawn(process.execPath, [cliPath, ...args], {
      cwd: options.folder,
      env: {
        ...process.env,
        NO_COLOR: "1",
        CI: "1",
        WORKER: name,
        CONCURRENCY: String(options.concurrency),
        ...(options.askUrl !== null && { ASK_URL: options.askUrl }),
        ...options.environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    running.add(child)
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text
      })
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.once("close", (code, signal) => {
        running.delete(child)
        resolve(signal ?? code)
      }),
    )
    return { name, child, said: () => said, ended }
  }
  const { queue } = options
  const store = options.store === null ? [] : ["--store", options.store]
  return {
    worker: (name, { stays } = { stays: false }) =>
      start(name, [
        "worker",
        "--queue",
        queue,
        ...store,
        "--config",
        "eval.config.ts",
        "--name",
        name,
        ...(stays ? [] : ["--once"]),
      ]),
    coordinator: (args = []) => start("coordinator", ["run", "--queue", queue, ...store, "--seed", "7", ...args]),
    single: (args = []) => start("single", ["run", "--seed", "7", ...args]),
    end() {
      for (const child of running) {
        child.kill("SIGCONT")
        child.kill("SIGKILL")
      }
    },
  }
}
