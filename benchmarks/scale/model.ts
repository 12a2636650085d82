/**
 * A queueing model of a run over 1 to 200 workers, fed with what throughput.ts measured:
 *
 *   npx jiti benchmarks/scale/model.ts held FIGURES.jsonl          measured against predicted, on the machine that was measured
 *   npx jiti benchmarks/scale/model.ts fleet FIGURES.jsonl [ENDPOINT_MS IN_FLIGHT STORE_CORES SLOTS]   1 to 200 machines of their own
 * *   npx jiti benchmarks/scale/model.ts cost FIGURES.jsonl [ANSWERS WORKERS ENDPOINT_MS IN_FLIGHT]               what a large run comes to
 *
 * FIGURES.jsonl is what throughput.ts wrote. Two of its runs feed the model: one worker against an endpoint without latency says how long a
 * worker's thread takes, one against an endpoint with latency says what a request takes beside that. Assumptions: model/fleet-model.ts.
 */
import { readFileSync } from "node:fs"
import { cpus } from "node:os"
import { costOfLargeRun } from "./model/arithmetic.ts"
import { calibrateMs, type FleetFigures, predictFleet } from "./model/fleet-model.ts"
import type { QueueRun } from "./throughput/queue-run.ts"

const [what = "held", file = "", ...numbers] = process.argv.slice(2)
const runs = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as QueueRun & { readonly engine: string })
const oneWorker = (isQuick: boolean): QueueRun => {
  const result = runs.find(({ workers, answerMs }) => workers === 1 && (answerMs === 0) === isQuick)
  if (result) return result
  throw new Error(`${file} has no run of one worker against an endpoint ${isQuick ? "without" : "with"} latency`)
}
const [quick, slow] = [oneWorker(true), oneWorker(false)]
const cores = cpus().length
/** A timer of Node and the endpoint's own work, where it does not wait. */
const quickMs = 1
const threadMs = calibrateMs(
  quick.middlePerSecond,
  (ms) => ({ ...sharedFigures(quick), endpointMs: quickMs, threadMs: ms }),
  1000 / quick.middlePerSecond,
)
const slowMs = calibrateMs(
  slow.middlePerSecond,
  (ms) => ({ ...sharedFigures(slow), endpointMs: ms, threadMs }),
  10 * slow.answerMs,
)
const besideMs = slowMs - slow.answerMs
console.log(
  `a worker's thread: ${threadMs.toFixed(2)} ms an answer; a request takes ${besideMs.toFixed(1)} ms beside the endpoint's ${slow.answerMs} ms`,
)
if (what === "held") held()
else if (what === "fleet") fleet()
else cost()

/** All on one machine, with the CPU that a run was measured to take. */
function sharedFigures(run: QueueRun): Omit<FleetFigures, "threadMs" | "endpointMs"> {
  const { workers, concurrency, storeCpuMs, queueCpuMs } = run
  const cpuMs = run.workerCpuMs + storeCpuMs + queueCpuMs + run.coordinatorCpuMs + run.endpointCpuMs
  return {
    workers,
    concurrency,
    endpointSlots: null,
    storeCpuMs,
    storeCores: cores,
    queueCpuMs,
    queueCores: 1,
    machine: { cores, cpuMs },
  }
}

function held(): void {
  for (const run of runs) {
    const [single, endpointMs] = run.answerMs === 0 ? [quick, quickMs] : [slow, slowMs]
    const figuresOf = (demands: QueueRun) => ({ ...sharedFigures(demands), workers: run.workers, threadMs, endpointMs })
    const { perSecond, next } = predictFleet(figuresOf(single))
    const own = predictFleet(figuresOf(run))
    const error = (predicted: number) =>
      run.workers === 1 ? "fed" : `${(100 * (predicted / run.middlePerSecond - 1)).toFixed(1)} %`
    console.log(
      `| ${run.engine} | ${run.answerMs} ms | ${run.workers} | ${run.middlePerSecond.toFixed(1)} | ${perSecond.toFixed(1)} | ${error(perSecond)} | ${error(own.perSecond)} | ${next.name} ${(100 * next.utilisation).toFixed(0)} % |`,
    )
  }
}

/** Bytes and times of rows are those of store-rows.ts at a million; prices are an example. */
function cost(): void {
  const [answers = 1e9, workers = 200, endpointMs = 2_000, concurrency = 64] = numbers.map(Number)
  const example = { promptTokens: 500, completionTokens: 200, usdPerMillionPrompt: 0.4, usdPerMillionCompletion: 1.6 }
  const fleet = { ...ownMachines(8), workers, concurrency, endpointMs: endpointMs + besideMs, endpointSlots: null }
  const { workerCpuMs, storeCpuMs, queueCpuMs, coordinatorCpuMs } = slow
  console.log({
    ...example,
    ...costOfLargeRun({
      answers,
      fleet,
      bytesPerAnswer: 1_163,
      countMsPerMillion: 122,
      readMsPerMillion: 8_400,
      cpuMsPerAnswer: workerCpuMs + storeCpuMs + queueCpuMs + coordinatorCpuMs,
      ...example,
    }),
  })
}

/** Machines that nobody else is on. */
function ownMachines(storeCores: number) {
  const { storeCpuMs, queueCpuMs } = slow
  return { threadMs, storeCpuMs, storeCores, queueCpuMs, queueCores: 1, machine: null }
}

function fleet(): void {
  const [endpointMs = 2_000, concurrency = 64, storeCores = 8, slots = 0] = numbers.map(Number)
  for (const workers of [1, 2, 4, 8, 16, 32, 64, 100, 200]) {
    const { perSecond, stations, next } = predictFleet({
      workers,
      concurrency,
      endpointMs: endpointMs + besideMs,
      endpointSlots: slots === 0 ? null : slots,
      ...ownMachines(storeCores),
    })
    const busy = stations.map(({ name, utilisation }) => `${(100 * utilisation).toFixed(0)} % ${name}`)
    console.log(
      `| ${workers} | ${perSecond.toFixed(0)} | ${busy.join(", ")} | ${next.name} at ${next.mostPerSecond.toFixed(0)}/s |`,
    )
  }
}
