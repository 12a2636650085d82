import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { figureValue } from "../../src/core/report/figure.ts"
import type { Distribution, RunReport } from "../../src/core/report/report.ts"
import { quantile } from "../../src/stats/quantile.ts"
import { runCli } from "../../test/support/cli.ts"
import type { LedgerEntry, ServiceHabits } from "../../test/support/servers/ledger-server.ts"
import { type CallerTimes, callerTimes, loadTimes } from "../../test/support/servers/ledger-truth.ts"

const root = join(import.meta.dirname, "../..")
const percentiles = ["p50", "p95", "p99"] as const
type Percentiles = Readonly<Record<(typeof percentiles)[number], number | null>>

/** A figure that evalkit shows beside that of the ledger: percentiles in milliseconds, in the order of {@link percentiles}. */
export interface ShownTimes {
  readonly name: keyof Omit<CallerTimes, "question">
  readonly shown: readonly number[]
  readonly truth: readonly number[]
}

/** What evalkit shows of one service, beside the service's own ledger. */
export interface Shown {
  readonly service: string
  readonly times: readonly ShownTimes[]
  /** Attempts, failures, refusals of the rate limit; of a load test requests that met the objectives, too. */
  readonly counts: Readonly<Record<"shown" | "truth", Readonly<Record<string, number>>>>
  /** How much longer TTFT and E2E are than the ledger's, request by request, in milliseconds; empty of a load test, which shows no requests. */
  readonly differencesMs: readonly number[]
  /** Answers that evalkit leaves out of its latencies, because it stood still itself meanwhile; in a load test the ledger's are in. */
  readonly stalled: number
}

type Habits = Readonly<Record<string, ServiceHabits>>

/** How a measurement is made again. */
export interface Size {
  readonly seed: number
  readonly questions: number
}

/** Asks services with `evalkit run`, which retries; the first answer of each, whose service may be cold, is in no latency of either side. */
export async function measureRun(habits: Habits, size: Size): Promise<readonly Shown[]> {
  return await withService(habits, size, async ({ evalkit, entries }) => {
    const report = JSON.parse(await evalkit("run", "--no-html", "--json")) as RunReport
    const rows = (await evalkit("export", "--format", "jsonl"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AnswerRow)
    const ledger = await entries()
    return report.variants.map((variant) => {
      const { name, speed } = variant
      const answers = callerTimes(ledger, name)
        .slice(1)
        .flatMap((truth) => {
          const row = rows.find(({ variant, sampleId }) => variant === name && sampleId === truth.question)
          return typeof row?.ttftMs === "number" && typeof row.e2eMs === "number"
            ? [{ truth, differencesMs: [row.ttftMs - truth.ttftMs, row.e2eMs - truth.e2eMs] }]
            : []
        })
      const shown = {
        ttftMs: percentilesOf(speed.ttftMs),
        e2eMs: percentilesOf(speed.e2eMs),
        longestStopMs: percentilesOf(speed.longestStopMs),
      }
      return {
        service: name,
        times: besides(
          answers.map(({ truth }) => truth),
          shown,
        ),
        counts: runCounts(variant, ledger),
        differencesMs: answers.flatMap(({ differencesMs }) => differencesMs),
        stalled: speed.stalled ?? 0,
      }
    })
  })
}

/** What is read of an answer as `evalkit export` writes it. */
interface AnswerRow {
  readonly variant: string
  readonly sampleId: string
  readonly ttftMs: number | null
  readonly e2eMs: number | null
}

function runCounts(
  { name, reliability }: RunReport["variants"][number],
  ledger: readonly LedgerEntry[],
): Shown["counts"] {
  const { attempts = -1, failedAttempts = -1, rateLimited = -1 } = reliability ?? {}
  const truth = ledgerCounts(ledger.filter(({ model }) => model === name))
  return {
    shown: { attempts, failed: failedAttempts, limited: rateLimited },
    // What the account's own limit refused is no attempt.
    truth: { ...truth, attempts: truth.attempts - truth.limited },
  }
}

function ledgerCounts(entries: readonly LedgerEntry[]) {
  const count = (outcome: LedgerEntry["outcome"]) => entries.filter((entry) => entry.outcome === outcome).length
  return { attempts: entries.length, failed: count("http_5xx"), limited: count("rate_limited") }
}

/** A load of `evalkit bench`. */
export interface Load {
  readonly name: string
  readonly options: readonly string[]
  /** Of an open loop with constant gaps; null: a closed loop. */
  readonly ratePerSecond: number | null
}

/** Objectives that the load tests count against. */
const slo = { ttftMs: 2000, stopMs: 500 }

/** Puts one load on one service with `evalkit bench`, which asks once. */
export async function measureBench(habits: Habits, load: Load, size: Size): Promise<Shown> {
  return await withService(habits, size, async ({ evalkit, entries }) => {
    const objectives = `ttft<${slo.ttftMs}ms,stop<${slo.stopMs}ms,itl.max<1500ms`
    const printed = await evalkit(
      ...[
        "bench",
        "--requests",
        String(size.questions),
        "--slo",
        objectives,
        "--no-calibrate",
        "--json",
        ...load.options,
      ],
    )
    const [level] = JSON.parse(printed) as [BenchJson]
    const asked = (await entries()).filter(({ question }) => question !== warmUp)
    const times = loadTimes(asked, load.ratePerSecond)
    const met = times.filter(({ ttftMs, longestStopMs }) => ttftMs <= slo.ttftMs && longestStopMs <= slo.stopMs)
    const { requests, outcomes, slo_attainment, stalled } = level
    return {
      service: `${Object.keys(habits)}, ${load.name}`,
      times: besides(times, {
        ttftMs: level.ttft_from_intent_ms,
        e2eMs: level.e2e_from_intent_ms,
        longestStopMs: level.longest_stop_ms,
      }),
      counts: {
        shown: {
          ...{ attempts: requests, failed: outcomes.http_5xx ?? 0, limited: outcomes.rate_limited ?? 0 },
          met: Math.round(slo_attainment * requests),
        },
        truth: { ...ledgerCounts(asked), met: met.length },
      },
      ...{ differencesMs: [], stalled },
    }
  })
}

/** What is read of a level as `evalkit bench --json` prints it. */
interface BenchJson {
  readonly requests: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly ttft_from_intent_ms: Percentiles
  readonly e2e_from_intent_ms: Percentiles
  readonly longest_stop_ms: Percentiles
  readonly slo_attainment: number
  readonly stalled: number
}

function besides(
  times: readonly CallerTimes[],
  shown: Readonly<Record<ShownTimes["name"], Percentiles>>,
): readonly ShownTimes[] {
  return (["ttftMs", "e2eMs", "longestStopMs"] as const).map((name) => ({
    name,
    shown: percentiles.map((percentile) => shown[name][percentile] ?? Number.NaN),
    truth: percentiles.map((percentile) =>
      quantile(
        times.map((time) => time[name]),
        Number(percentile.slice(1)) / 100,
      ),
    ),
  }))
}

function percentilesOf(distribution: Distribution | undefined): Percentiles {
  const { p50, p95, p99 } = distribution ?? {}
  return { p50: figureValue(p50), p95: figureValue(p95), p99: figureValue(p99) }
}

interface Running {
  /** Runs the built command beside a config that asks the service, and gives what it printed. */
  evalkit(...args: readonly string[]): Promise<string>
  entries(): Promise<readonly LedgerEntry[]>
}

/** Starts the service in a process of its own, which has ended when the result is there. */
async function withService<T>(
  habits: Habits,
  { seed, questions }: Size,
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), "evalkit-ledger-"))
  const service = spawn(
    process.execPath,
    ["--import", "jiti/register", join(import.meta.dirname, "service.ts"), String(seed), JSON.stringify(habits)],
    { cwd: root, stdio: ["pipe", "pipe", "inherit"] },
  )
  try {
    const [address] = (await once(service.stdout, "data")) as [Buffer]
    const url = String(address).trim()
    writeFileSync(join(cwd, "eval.config.ts"), configOf(url, Object.keys(habits), questions))
    return await work({
      async evalkit(...args) {
        const { code, stdout, stderr } = await runCli(args, { cwd, limitMs: 600_000 })
        if (stdout === "") throw new Error(`evalkit ${args[0]} ended with ${code}: ${stderr}`)
        return stdout
      },
      entries: async () => (await (await fetch(`${url}/ledger`)).json()) as readonly LedgerEntry[],
    })
  } finally {
    service.kill()
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** The last sample, which a load test warms up with; it asks the others, once each. */
const warmUp = "warm-up"

function configOf(url: string, models: readonly string[], questions: number): string {
  const names = [...Array.from({ length: questions }, (_, i) => `q${i}`), warmUp]
  return `import { contains, defineConfig, openai, variant } from ${JSON.stringify(join(root, "dist/src/index.js"))}
export default defineConfig({
  dataset: ${JSON.stringify(names)}.map((id) => ({ id, input: "say " + id, reference: id })),
  metrics: [contains()], concurrency: 24, retry: { retries: 8, baseDelayMs: 400, maxDelayMs: 400 },
  variants: ${JSON.stringify(models)}.map((model) => variant({ name: model, provider: openai({ model, baseUrl: ${JSON.stringify(url)}, apiKeyVariable: null }) })),
})
`
}
