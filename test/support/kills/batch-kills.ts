import type { ChildProcess } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { type BatchServiceName, batchKey, batchPrice, batchServices } from "../batch-world.ts"
import { runCli } from "../cli.ts"
import type { BatchMock } from "../mocks/batches/desk.ts"
import { reading } from "./on-record.ts"

/** What kills of runs by batch counted. */
export interface BatchTally {
  kills: number
  /** Kills by the last request that the service had received. */
  readonly after: Record<string, number>
  runs: number
  answers: number
  /** Batches that the services took. */
  batches: number
  /** Requests that went in more than one batch. */
  sentTwice: number
  /** Calls without an answer, or with another than the right one, at the end. */
  lost: number
  /** Runs whose cost is not that of their answers, each once. */
  otherCosts: number
  readonly faults: string[]
}

/** Whether what must never happen did not. */
export function isCleanBatchTally({ sentTwice, lost, otherCosts, faults }: BatchTally): boolean {
  return sentTwice + lost + otherCosts + faults.length === 0
}

/** Options of {@link killBatches}. */
export interface BatchKills {
  readonly kills: number
  readonly seed: number
  readonly samples: number
  readonly services: readonly BatchServiceName[]
  /** Kills of one run, at most. */
  readonly perRun: number
  /** Kill only after requests like these. Default: any. */
  readonly after?: RegExp
  onRun?(tally: BatchTally): void
}

/**
 * Starts runs by batch, kills each with SIGKILL at seeded moments and resumes it to its end: service after service, until there are
 * enough kills. A moment is a request that the service receives, and up to 40 ms after it; a batch is taken 10 ms after it was asked
 * for and confirmed 10 ms later, so that kills fall before, between and after.
 */
export async function killBatches(options: BatchKills): Promise<BatchTally> {
  const { services } = options
  const random = createRandom(`${options.seed}/batch-kills`)
  const root = mkdtempSync(join(tmpdir(), "evalkit-batch-kills-"))
  const tally: BatchTally = {
    kills: 0,
    after: {},
    runs: 0,
    answers: 0,
    batches: 0,
    sentTwice: 0,
    lost: 0,
    otherCosts: 0,
    faults: [],
  }
  try {
    for (let run = 0; tally.kills < options.kills; run++) {
      const name = services[run % services.length] as BatchServiceName
      const folder = join(root, String(run))
      await killedRun(folder, name, random, tally, options)
      rmSync(folder, { recursive: true, force: true })
      options.onRun?.(tally)
    }
    return tally
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function killedRun(
  folder: string,
  name: BatchServiceName,
  random: Random,
  tally: BatchTally,
  { samples, perRun, kills, after }: BatchKills,
): Promise<void> {
  let heard: (what: string) => void = () => {}
  const mock = await batchServices[name].start({
    looks: 2,
    createMs: [10, 10],
    fault(what) {
      heard(what)
      return null
    },
  })
  try {
    writeProject(folder, name, mock, samples)
    for (let kill = 0; ; kill++) {
      const isLast = kill === perRun || tally.kills >= kills
      let child: ChildProcess | undefined
      let left = 1 + random.integer(after ? 2 : 12)
      let last = "nothing"
      let isKilled = false
      const delayMs = random.next() * 40
      heard = (what) => {
        last = what
        if (isLast || (after && !after.test(what)) || --left !== 0) return
        setTimeout(() => {
          isKilled = child?.kill("SIGKILL") ?? false
        }, delayMs)
      }
      const { code, stderr } = await runCli(["run", "--no-html", "--json", ...(kill === 0 ? [] : ["--resume"])], {
        cwd: folder,
        environment: { OPENAI_API_KEY: batchKey, ANTHROPIC_API_KEY: batchKey, GEMINI_API_KEY: batchKey },
        started: (started) => {
          child = started
        },
      })
      if (isKilled && code === null) {
        tally.kills++
        tally.after[last] = (tally.after[last] ?? 0) + 1
        // What was on its way arrives a moment later.
        await new Promise((resolve) => setTimeout(resolve, 40))
        continue
      }
      if (code !== 0) tally.faults.push(`${name}: exit ${code} after ${kill} kills: ${stderr.slice(-300)}`)
      break
    }
    bookRun(folder, name, mock, tally, samples)
  } finally {
    await mock.close()
  }
}

function bookRun(folder: string, name: string, mock: BatchMock, tally: BatchTally, samples: number): void {
  const sent = new Map<string, number>()
  for (const { requests } of mock.batches)
    for (const { body } of requests) {
      const key = JSON.stringify(body)
      sent.set(key, (sent.get(key) ?? 0) + 1)
    }
  const inBatches = [...sent.values()].reduce((sum, count) => sum + count, 0)
  tally.runs++
  tally.batches += mock.batches.length
  tally.sentTwice += inBatches - sent.size
  reading(folder, (store, record) => {
    if (!record) return void tally.faults.push(`${name}: no run is on record`)
    const answered = new Set<string>()
    let [batched, live] = [0, 0]
    for (const variant of record.variants)
      for (const generation of store.generations(record.id, variant.name)) {
        if (generation.outcome === "ok" && generation.text === `text ${generation.sampleId.slice(1)}`)
          answered.add(`${variant.name} ${generation.sampleId}`)
        if (generation.source === "batch") batched++
        else live++
      }
    tally.answers += answered.size
    tally.lost += samples * record.variants.length - answered.size
    const costs = (store.report(record.id)?.variants ?? []).map(({ cost }) => cost.totalUsd)
    const reported = costs.reduce((sum, usd) => sum + (usd.status === "known" ? usd.value : Number.NaN), 0)
    const usd = batched * 0.003 + live * 0.006
    if (Math.abs(reported - usd) > 1e-9 || batched !== inBatches) {
      tally.otherCosts++
      tally.faults.push(
        `${name}: $${reported} on record, $${usd} by ${batched} + ${live} answers, ${inBatches} requests in batches`,
      )
    }
  })
}

function writeProject(folder: string, name: BatchServiceName, { baseUrl }: BatchMock, samples: number): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { ${name}, dataset, defineConfig, exactMatch, variant } from "evalkit"
const price = ${JSON.stringify(batchPrice)}
export default defineConfig({
  name: "killed batches", dataset: dataset("data.jsonl"), metrics: [exactMatch()], batch: { pollSeconds: 0.05 },
  variants: ["a", "b"].map((model) => variant({ name: model, price, provider: ${name}({ model, baseUrl: "${baseUrl}" }) })),
})
`,
  )
}
