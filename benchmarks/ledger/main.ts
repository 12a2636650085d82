import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { RunReport } from "../../src/core/report/report.ts"
import { quantile } from "../../src/stats/quantile.ts"
import { callerTimes, type LedgerEntry, type ServiceHabits } from "../../test/support/servers/ledger-server.ts"

// How near do the times of `evalkit run` come to what the callers of an odd service waited by the service's own ledger?
//   npx jiti benchmarks/ledger/main.ts [questions] [seeds]
const [questions = 400, seeds = 3] = process.argv.slice(2).map(Number)
const root = resolve(import.meta.dirname, "../..")
const steady: ServiceHabits = {
  ...{ failing: 0, stopping: 0, stopMs: 0, thinks: false },
  ...{ thinkingMs: 20, firstWordMs: 300, betweenMs: 25 },
}
const habits: Readonly<Record<string, ServiceHabits>> = {
  steady,
  failing: { ...steady, failing: 0.2 },
  stopping: { ...steady, stopping: 0.02, stopMs: 2000 },
  thinking: { ...steady, thinks: true },
  storms: { ...steady, storm: { from: 150, attempts: 20 } },
  all: {
    ...steady,
    ...{ thinks: true, failing: 0.2, stopping: 0.02, stopMs: 2000, storm: { from: 150, attempts: 20 } },
  },
}
const percentiles = ["p50", "p95", "p99"] as const
const worst = new Map<string, number>()

for (let seed = 1; seed <= seeds; seed++) {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-ledger-"))
  const log = join(folder, "ledger.jsonl")
  writeFileSync(log, "")
  const service = spawn(
    process.execPath,
    ["--import", "jiti/register", join(import.meta.dirname, "service.ts"), log, String(seed), JSON.stringify(habits)],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  )
  const [address] = (await once(service.stdout, "data")) as [Buffer]
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { contains, defineConfig, openai, variant } from ${JSON.stringify(join(root, "dist/src/index.js"))}
export default defineConfig({
  dataset: Array.from({ length: ${questions} }, (_, i) => ({ id: "q" + i, input: "say q" + i, reference: "q" + i })),
  metrics: [contains()], concurrency: 24, retry: { retries: 8, baseDelayMs: 400 },
  variants: ${JSON.stringify(Object.keys(habits))}.map((model) => variant({ name: model, provider: openai({ model, baseUrl: ${JSON.stringify(String(address).trim())}, apiKeyVariable: null }) })),
})
`,
  )
  const run = spawnSync(process.execPath, [join(root, "dist/src/cli/bin.js"), "run", "--no-html", "--json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  service.kill()
  const report = JSON.parse(run.stdout) as RunReport
  const entries = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LedgerEntry)
  for (const { name, speed, reliability } of report.variants) {
    const truth = callerTimes(entries, name)
    const failed = entries.filter(({ model, outcome }) => model === name && outcome === "http_5xx").length
    const cells = (["ttftMs", "e2eMs"] as const).flatMap((figure) =>
      percentiles.map((percentile) => {
        const shown = speed[figure][percentile]
        const expected = quantile(truth[figure], Number(percentile.slice(1)) / 100)
        const error = shown.status === "known" ? shown.value / expected - 1 : Number.NaN
        worst.set(name, Math.max(worst.get(name) ?? 0, Math.abs(error)))
        return `${expected.toFixed(0)} ms ${(100 * error).toFixed(2)} %`
      }),
    )
    const exact = reliability?.failedAttempts === failed ? "exact" : `${reliability?.failedAttempts} of ${failed}`
    console.log(`| ${seed} | ${name} | ${cells.join(" | ")} | ${exact} |`)
  }
  rmSync(folder, { recursive: true, force: true })
}
console.log([...worst].map(([name, error]) => `${name}: at most ${(100 * error).toFixed(2)} %`).join(", "))
