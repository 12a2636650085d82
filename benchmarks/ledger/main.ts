import { quantile } from "../../src/stats/quantile.ts"
import type { ServiceHabits } from "../../test/support/servers/ledger-server.ts"
import { type Load, measureBench, measureRun, type Shown } from "./measure.ts"

// How near do the times of `evalkit run` and `evalkit bench` come to what the callers of odd services waited, by the services' own ledgers?
//   npx jiti benchmarks/ledger/main.ts [questions] [seeds]
const [questions = 200, seeds = 2] = process.argv.slice(2).map(Number)
const steady: ServiceHabits = {
  ...{ failing: 0, stopping: 0, stopMs: 2000, thinks: false },
  ...{ thinkingMs: 100, firstWordMs: 1000, betweenMs: 150 },
}
const storm = { from: 150, attempts: 20, pauseMs: 600 }
const all: ServiceHabits = {
  ...{ ...steady, thinks: true, stopping: 0.02, failing: 0.2, storm },
  failurePauseMs: [400, 1500],
}
const habits: Readonly<Record<string, ServiceHabits>> = {
  steady,
  failing: { ...steady, failing: 0.2 },
  stopping: { ...steady, stopping: 0.02 },
  thinking: { ...steady, thinks: true },
  storms: { ...steady, storm },
  all,
}
const open = (rate: number) => ["--rate", String(rate), "--arrival", "constant"]
const loads: readonly Load[] = [
  { name: "24 in flight", options: ["--concurrency", "24"], ratePerSecond: null },
  { name: "15 a second", options: open(15), ratePerSecond: 15 },
  { name: "25 a second, 24 in flight", options: [...open(25), "--max-in-flight", "24"], ratePerSecond: 25 },
]

let largest = 0
function print(seed: number, { service, times, counts, differencesMs, stalled }: Shown): void {
  const cells = times.flatMap(({ shown, truth }) =>
    truth.map((ms, i) => {
      const error = (shown[i] as number) / ms - 1
      largest = Math.max(largest, Math.abs(error))
      return `${ms.toFixed(0)} ms ${(100 * error).toFixed(2)} %`
    }),
  )
  const sizes = differencesMs.map(Math.abs)
  const perRequest = sizes.length === 0 ? "" : [0.5, 0.99].map((q) => `${quantile(sizes, q).toFixed(1)} ms`).join(", ")
  const [shown, truth] = [counts.shown, counts.truth].map((count) => Object.values(count).join("/"))
  console.log(
    `| ${seed} | ${service} | ${cells.join(" | ")} | ${perRequest} | ${truth} ${shown === truth ? "exact" : shown} | ${stalled} |`,
  )
}

for (let seed = 1; seed <= seeds; seed++) {
  for (const shown of await measureRun(habits, { seed, questions })) print(seed, shown)
  for (const load of loads) print(seed, await measureBench({ all }, load, { seed, questions }))
}
console.log(`largest difference: ${(100 * largest).toFixed(2)} %`)
