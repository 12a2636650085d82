import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Generation } from "../../../src/core/generation.ts"
import type { ResourceUsage } from "../../../src/core/provider.ts"
import { openRunStore } from "../../../src/store/run-store.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A provider of functions that counts as asking a record: the client's own error, which differs from run to run, is not measured. */
const ofRecord = `const ofRecord = (provider) => {
  const record = { ...provider, traits: { isRecord: true } }
  return { ...provider, traits: { ...provider.traits, members: [record] } }
}
`

const agentsConfig = `import booking from "./booking.config.ts"
${ofRecord}
export default {
  ...booking,
  concurrency: 1,
  variants: booking.variants.map((variant) => ({ ...variant, provider: ofRecord(variant.provider) })),
}
`

/** A service that fails where it is told how often. */
const watchConfig = `import { exactMatch, fromFunction } from "evalkit"
${ofRecord}
const answer = ({ messages }) => {
  const number = Number(messages.at(-1).content)
  if ((number % 10) / 10 < Number(process.env.OUTPUTS_DRIFT ?? 0))
    throw Object.assign(new Error("the service is overloaded"), { status: 503 })
  return { text: number % 9 === 0 ? "no" : "yes", costUsd: 0.001 }
}
export default {
  name: "watched",
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: "s" + i, input: String(i), reference: "yes" })),
  variants: [{ name: "service", provider: ofRecord(fromFunction(answer, { name: "service" })) }],
  metrics: [exactMatch()],
  concurrency: 1,
  retry: false,
}
`

/** Writes the configs and the files that the frozen command lines name. */
export function writeProject(cwd: string): void {
  copyFileSync(here("../../../examples/booking-agent/eval.config.ts"), join(cwd, "booking.config.ts"))
  writeFileSync(join(cwd, "agents.config.ts"), agentsConfig)
  writeFileSync(join(cwd, "watch.config.ts"), watchConfig)
  for (const folder of ["new", "yaml", "json", "other", "shards", "empty"]) mkdirSync(join(cwd, folder))
  for (const folder of [".", "shards"]) copyFileSync(here("eval.config.ts"), join(cwd, folder, "eval.config.ts"))
  const write = (name: string, rows: readonly object[]) =>
    writeFileSync(join(cwd, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const numbers = Array.from({ length: 80 }, (_, i) => i)
  const isRight = (i: number, every: number) => (i * 7) % every > 0
  const outputs = (every: number, ms: number) =>
    numbers.map((i) => ({
      id: `s${i}`,
      output: isRight(i, every) ? `the cat number ${i} sat on the mat` : `a dog number ${i} lay on a mat`,
      references: [`the cat number ${i} sat on the mat`],
      correct: Number(isRight(i, every)),
      ms: ms + ((i * 13) % 40),
    }))
  write("a.jsonl", outputs(9, 200))
  write("b.jsonl", outputs(6, 150))
  write(
    "rows.jsonl",
    ["a", "b", "c"].flatMap((model, k) =>
      outputs(9 - 2 * k, 200 - 40 * k).map((row) => ({ model, ...row, costUsd: (0.002 * (row.ms % 7)) / (k + 1) })),
    ),
  )
  const labels = numbers.map((i) => ({ id: `s${i}`, judge: Number(isRight(i, 5)), human: Number(isRight(i, 7)) }))
  write(
    "labels.jsonl",
    labels.map((row, i) => (i < 50 ? row : { ...row, human: null })),
  )
  write(
    "pairs.jsonl",
    numbers.flatMap((i) =>
      ["ab", "ba"].map((order, k) => ({
        id: `s${i}`,
        order,
        judge: i % 11 === 0 ? null : (i * 3 + k * Number(i % 4 === 0)) % 2 === 0 ? "A" : "B",
        human: (i * 3) % 2 === 0 ? "A" : "B",
        source: i < 40 ? "code" : "prose",
      })),
    ),
  )
  const people = labels.map(({ id, judge, human }, i) =>
    [id, judge, human, i % 13 === 0 ? 1 - human : human, i % 7 === 0 ? 1 - human : human].join(),
  )
  writeFileSync(join(cwd, "people.csv"), `${["id,judge,ann,ben,eva", ...people].join("\n")}\n`)
  writeFileSync(join(cwd, "board.csv"), "name,quality,cost,latency\na,0.9,2,400\nb,0.88,1,300\nc,0.7,1.5,500\n")
}

/**
 * Makes a run of recorded answers one that was measured, one request after another: with an attempt that failed before an answer, the
 * resources of a server, and two people's labels of what the judges said. Scores are gone and must be computed again.
 */
export function makeMeasured(cwd: string, runId: string): void {
  const store = openRunStore(join(cwd, ".evalkit"))
  try {
    const generations = ["today", "small", "own"].flatMap((variant) => [...store.generations(runId, variant)])
    for (const generation of generations) store.replaceGeneration(runId, measured(generation))
    store.saveVariantState(runId, "own", { resources: ownResources, notes: [], failure: null })
    for (const { variant, sampleId, repeat, position } of generations.filter(({ position }) => position % 9 === 0))
      for (const labeller of ["ann", "ben"])
        store.saveLabel(runId, {
          ...{ variant, sampleId, repeat, metric: "judged", labeller, drawn: "chance", at: "2026-01-06T09:00:00.000Z" },
          score: Number(position % (labeller === "ann" ? 5 : 6) > 0),
        })
  } finally {
    store.close()
  }
}

/** Milliseconds from the start of a request to that of the next. */
const betweenMs = 500

function measured(generation: Generation): Generation {
  const { log, position, variant, sampleId } = generation
  const startMs = position * betweenMs
  const later = <Time extends number | null>(ms: Time) => (ms === null ? null : ms + startMs) as Time
  const shifted: Generation["log"] = {
    ...log,
    scheduledMs: later(log.scheduledMs),
    sendMs: later(log.sendMs),
    headersMs: later(log.headersMs),
    events: log.events.map((event) => ({ ...event, atMs: later(event.atMs) })),
    endMs: later(log.endMs),
  }
  const wasLimited = variant === "small" && sampleId === "q19"
  return {
    ...generation,
    source: "measured",
    log: shifted,
    ...(wasLimited && {
      retries: [
        {
          outcome: "rate_limited",
          log: { ...shifted, sendMs: startMs - 90, scheduledMs: startMs - 100, events: [], endMs: startMs - 60 },
          httpStatus: 429,
          failure: { message: "too many requests" },
          usage: { promptTokens: null, cachedPromptTokens: null, completionTokens: null, reasoningTokens: null },
        },
      ],
    }),
  }
}

const ownResources: ResourceUsage = {
  peakRssBytes: 1_500_000_000,
  rssOverIdleBytes: 300_000_000,
  cpuSeconds: 31,
  gpu: {
    peakMemoryBytes: 6_000_000_000,
    memoryAfterLoadBytes: 5_500_000_000,
    meanUtilisation: 0.62,
    energyJoules: 3000,
    energyErrorJoules: 40,
    names: ["a GPU"],
    count: 1,
    driver: "1.0",
    energyIsValid: true,
    meanPowerWatts: 90,
  },
  cpuEnergy: { joules: 800, errorJoules: 5, reason: null },
  servingMs: 15_000,
  modelBytes: 4_000_000_000,
  loadMs: 2500,
  firstTokenMs: 140,
  contextTokens: 4096,
  reason: null,
}
