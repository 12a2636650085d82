import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { modelSteps, toolSteps } from "../../../src/core/episode/episode.ts"
import type { EpisodeStep } from "../../../src/core/episode/step.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { CallKey } from "../../../src/core/run/run-store.ts"
import { type Mock, startMock } from "../mocks/frame.ts"
import { runMarked } from "./marked-command.ts"
import { reading } from "./on-record.ts"

/** What kills in the middle of episodes counted. */
export interface EpisodeTally {
  kills: number
  /** Kills by the mark that they followed. */
  readonly after: Record<string, number>
  episodes: number
  /** Episodes that were taken up again, by how. */
  readonly taken: Record<string, number>
  /** Calls of a tool with effects outside, beyond the first of an episode. */
  effectsTwice: number
  /** Calls of tools whose end was on record, made again although the episode went on. */
  stepsAgain: number
  /** Requests to the model whose answer was on record, sent again although the episode went on. */
  requestsAgain: number
  /** Episodes without an answer, or with another than the right one. */
  lost: number
  /** Requests that the model answered and that no cost on record knows, at most so many per kill. */
  mostUnknownPerKill: number
  readonly faults: string[]
}

/** Options of {@link killEpisodes}. */
export interface EpisodeKills {
  readonly kills: number
  readonly samples: number
  readonly seed: number
}

const variants = ["stateless", "stateful"] as const
const concurrency = 4

/**
 * Runs episodes with five answers and three kinds of tools, kills the process with SIGKILL at seeded moments and resumes it to its end: each
 * tool writes into a ledger of its own when it is called, and the model's service counts what it is asked.
 */
export async function killEpisodes({ kills, samples, seed }: EpisodeKills): Promise<EpisodeTally> {
  const random = createRandom(`${seed}/episode-kills`)
  const folder = mkdtempSync(join(tmpdir(), "evalkit-episode-kills-"))
  const asked: string[] = []
  const service = await startModel(asked)
  const tally: EpisodeTally = {
    kills: 0,
    after: {},
    episodes: samples * variants.length,
    taken: {},
    effectsTwice: 0,
    stepsAgain: 0,
    requestsAgain: 0,
    lost: 0,
    mostUnknownPerKill: 0,
    faults: [],
  }
  try {
    writeProject(folder, service.baseUrl, samples)
    const perKill = Math.max(2, Math.floor((samples * variants.length * 9) / (kills + 1)))
    let finished: Finished = { tools: new Set(), requests: new Set() }
    for (let run = 0; run < kills + 10; run++) {
      const isLast = tally.kills >= kills
      const [calledBefore, askedBefore] = [ledgerOf(folder).length, asked.length]
      const mark = ["request", "tool", "effect", "effect done"][random.integer(4)] as string
      const share = mark === "request" ? 0.5 : mark === "tool" ? 0.4 : 0.2
      const nth = 1 + random.integer(Math.max(1, Math.floor(perKill * share)))
      const kill = isLast ? null : { mark, nth, delayMs: random.next() * 6 }
      const args = ["run", "--no-html", "--json", ...(run === 0 ? [] : ["--resume"])]
      const end = await runMarked(args, folder, kill)
      countAgain(tally, finished, ledgerOf(folder).slice(calledBefore), asked.slice(askedBefore))
      finished = readFinished(folder)
      if (end.isKilled) {
        tally.kills++
        tally.after[mark] = (tally.after[mark] ?? 0) + 1
        // What was on its way arrives a moment later.
        await new Promise((resolve) => setTimeout(resolve, 30))
        continue
      }
      if (end.code !== 0) tally.faults.push(`exit ${end.code}: ${end.stderr.slice(-300)}`)
      if (isLast || end.code !== 0) break
      // It ended before the mark came: what is left of the kills has no run to fall into.
      break
    }
    bookEnd(folder, tally, asked.length)
    return tally
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Calls and requests that are on record, of episodes that go on where they stopped; effects of all. */
interface Finished {
  readonly tools: ReadonlySet<string>
  readonly requests: ReadonlySet<string>
}

function countAgain(
  tally: EpisodeTally,
  finished: Finished,
  called: readonly string[],
  asked: readonly string[],
): void {
  tally.stepsAgain += called.filter((call) => finished.tools.has(call)).length
  tally.requestsAgain += asked.filter((request) => finished.requests.has(request)).length
}

function readFinished(folder: string): Finished {
  return reading(folder, (store, record) => {
    const tools = new Set<string>()
    const requests = new Set<string>()
    if (!record) return { tools, requests }
    const open = new Map<string, { readonly call: CallKey; readonly steps: EpisodeStep[] }>()
    for (const { step, number, ...call } of store.steps(record.id)) {
      const key = `${call.variant} ${call.sampleId}`
      const entry = open.get(key) ?? { call, steps: [] }
      open.set(key, entry)
      entry.steps[number] = step
    }
    const ended = variants.flatMap((variant) => [...store.generations(record.id, variant)])
    const all = [...open.values(), ...ended.map((own) => ({ call: own, steps: own.episode?.steps ?? [] }))]
    for (const { call, steps } of all) {
      const { variant, sampleId } = call
      const isKept =
        variant === "stateless" || ended.some((own) => own.variant === variant && own.sampleId === sampleId)
      for (const step of toolSteps(steps))
        if (step.outcome !== "begun" && (isKept || step.name === "charge"))
          tools.add(`${step.name} ${variant} ${sampleId} ${(step.arguments as JsonObject).key}`)
      if (isKept) for (const [index] of modelSteps(steps).entries()) requests.add(`${variant} ${sampleId} ${index}`)
    }
    return { tools, requests }
  })
}

function bookEnd(folder: string, tally: EpisodeTally, served: number): void {
  const charged = ledgerOf(folder).filter((line) => line.startsWith("charge "))
  tally.effectsTwice = charged.length - new Set(charged).size
  reading(folder, (store, record) => {
    if (!record) return void tally.faults.push("no run is on record")
    let [right, paid] = [0, 0]
    for (const variant of variants)
      for (const { outcome, text, sampleId, episode } of store.generations(record.id, variant)) {
        if (outcome === "ok" && text === `done ${sampleId}`) right++
        paid += episode?.steps.filter(({ kind }) => kind === "model").length ?? 0
        const charges = toolSteps(episode?.steps ?? []).filter(({ name }) => name === "charge")
        const made = charged.includes(`charge ${variant} ${sampleId} c`)
        if (charges.length !== 1 || (charges[0]?.outcome === "ok" && !made))
          tally.faults.push(`${variant} ${sampleId}: ${charges.length} charges on record, made ${made}`)
      }
    tally.lost = tally.episodes - right
    tally.mostUnknownPerKill = tally.kills === 0 ? 0 : (served - paid) / tally.kills
    const reported = (store.report(record.id)?.variants ?? []).map(({ cost }) => cost.totalUsd)
    const usd = reported.reduce((sum, figure) => sum + (figure.status === "known" ? figure.value : Number.NaN), 0)
    if (!(Math.abs(usd - paid * 0.000_02) < 1e-9)) tally.faults.push(`$${usd} reported, ${paid} answers on record`)
    for (const { kind, data } of store.events(record.id))
      if (kind === "episode_resumed") tally.taken[String(data.how)] = (tally.taken[String(data.how)] ?? 0) + 1
  })
}

/** What the tools wrote when they were called: `name variant sample key`. */
function ledgerOf(folder: string): readonly string[] {
  const path = join(folder, "ledger.txt")
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []
}

/** A model that looks two things up side by side, notes, charges, looks one more up, and is done. */
function startModel(asked: string[]): Promise<Mock> {
  return startMock(({ body }) => {
    const messages = body.messages as unknown as readonly JsonObject[]
    const sample = String(messages[0]?.content)
    const round = messages.filter(({ role }) => role === "assistant").length
    asked.push(`${String(body.model)} ${sample} ${round}`)
    const calls = [["lookup a", "lookup b"], ["note d"], ["charge c"], ["lookup e"]][round] ?? []
    const delta = (fields: object, finish: string | null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`
    const toolCalls = calls.map((call, index) => {
      const [name, key] = call.split(" ")
      return { index, id: `${round}${index}`, type: "function", function: { name, arguments: JSON.stringify({ key }) } }
    })
    return {
      events: [
        calls.length > 0
          ? delta({ tool_calls: toolCalls }, "tool_calls")
          : delta({ content: `done ${sample}` }, "stop"),
        `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 15, completion_tokens: 5, total_tokens: 20 } })}\n\n`,
        "data: [DONE]\n\n",
      ],
    }
  })
}

function writeProject(folder: string, baseUrl: string, samples: number): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `s${i}`, reference: `done s${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { appendFileSync, writeSync } from "node:fs"
import { dataset, defineConfig, episode, exactMatch, openai, tool, variant } from "evalkit"
const mark = (name) => writeSync(3, name + "\\n")
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "bench", date: "2026-01-01" }
const at = (model) => {
  const provider = openai({ model, baseUrl: "${baseUrl}/v1", apiKeyVariable: null })
  return { ...provider, async open(context) {
    const session = await provider.open(context)
    return { ...session, request(request, options) { mark("request"); return session.request(request, options) } }
  } }
}
const parameters = { type: "object", properties: { key: { type: "string" } }, required: ["key"] }
const toolsOf = (model) => {
  const called = (name, sample, key) => appendFileSync("ledger.txt", [name, model, sample.id, key].join(" ") + "\\n")
  return [
    tool({ name: "lookup", parameters, effects: "none", async run({ key }, { sample }) {
      mark("tool"); called("lookup", sample, key); await pause(2); return { found: key }
    } }),
    tool({ name: "charge", parameters, effects: "outside", async run({ key }, { sample }) {
      mark("effect"); called("charge", sample, key); await pause(2); mark("effect done"); return { charged: key }
    } }),
    tool({ name: "note", parameters, effects: model === "stateful" ? "state" : "none", async run({ key }, { sample, state }) {
      mark("tool"); called("note", sample, key); await pause(2)
      if (state) state.notes.push(key)
      return "noted"
    } }),
  ]
}
export default defineConfig({
  name: "killed episodes", dataset: dataset("data.jsonl"), metrics: [exactMatch()], concurrency: ${concurrency},
  variants: ["stateless", "stateful"].map((name) => variant({
    name, price, provider: at(name),
    episode: episode({ tools: toolsOf(name), maxSteps: 6, ...(name === "stateful" && { state: () => ({ notes: [] }) }) }),
  })),
})
`,
  )
}
