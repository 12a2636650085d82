import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { liveSteps } from "../../../src/core/episode/episode.ts"
import type { EpisodeStep } from "../../../src/core/episode/step.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { createRandom } from "../../../src/core/random.ts"
import { type Mock, startMock } from "../mocks/frame.ts"
import { runMarked } from "./marked-command.ts"
import { reading } from "./on-record.ts"

/** What kills in the middle of conversations with simulated users counted. */
export interface UserTally {
  kills: number
  readonly after: Record<string, number>
  episodes: number
  /** Requests of variants and of users whose step was on record, sent again. */
  sentAgain: number
  /** Conversations without their end, or with other words than a run that nobody killed has. */
  otherWords: number
  /** US dollars on record for variants and for users, less what a run that nobody killed pays: 0 each. */
  variantUsdOff: number
  userUsdOff: number
  /** Requests that were answered and are on no record, at most so many per kill. */
  mostUnknownPerKill: number
  readonly faults: string[]
}

const variants = ["a", "b"] as const
const concurrency = 4
/** The user speaks so often, and then ends the conversation. */
const turns = 3
const perCall = { variant: 0.000_02, user: 0.000_01 }

/**
 * Runs conversations of two variants with simulated users and summaries of what is no longer shown, kills the process with SIGKILL at
 * seeded moments and resumes it to its end; the service behind all of them counts what it is asked.
 */
export async function killUsers(options: { kills: number; samples: number; seed: number }): Promise<UserTally> {
  const { kills, samples, seed } = options
  const random = createRandom(`${seed}/user-kills`)
  const folder = mkdtempSync(join(tmpdir(), "evalkit-user-kills-"))
  const asked: string[] = []
  const service = await startModels(asked)
  const tally: UserTally = {
    kills: 0,
    after: {},
    episodes: samples * variants.length,
    sentAgain: 0,
    otherWords: 0,
    variantUsdOff: Number.NaN,
    userUsdOff: Number.NaN,
    mostUnknownPerKill: 0,
    faults: [],
  }
  try {
    writeProject(folder, service.baseUrl, samples)
    // Of each conversation: its answers, the user's words after each of them and its first ones, and a summary before the last answer.
    const perKill = Math.floor((samples * variants.length * (turns + turns + 1)) / (kills + 1))
    let finished: ReadonlySet<string> = new Set()
    for (let run = 0; run < kills + 10; run++) {
      const isLast = tally.kills >= kills
      const before = asked.length
      const mark = ["answer", "customer", "noter"][random.integer(3)] as string
      const share = mark === "noter" ? 0.12 : 0.4
      const kill = {
        mark,
        nth: 1 + random.integer(Math.max(1, Math.floor(perKill * share))),
        delayMs: random.next() * 6,
      }
      const args = ["run", "--no-html", "--json", ...(run === 0 ? [] : ["--resume"])]
      const end = await runMarked(args, folder, isLast ? null : kill)
      tally.sentAgain += asked.slice(before).filter((request) => finished.has(request)).length
      finished = onRecord(folder)
      if (!end.isKilled) {
        if (end.code !== 0) tally.faults.push(`exit ${end.code}: ${end.stderr.slice(-300)}`)
        break
      }
      tally.kills++
      tally.after[mark] = (tally.after[mark] ?? 0) + 1
      // What was on its way arrives a moment later.
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    bookEnd(folder, tally, samples, asked.length)
    return tally
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Requests whose step is on record, as the service names them. */
function onRecord(folder: string): ReadonlySet<string> {
  return reading(folder, (store, record) => {
    const known = new Set<string>()
    if (!record) return known
    const add = (variant: string, sample: string, steps: readonly EpisodeStep[]): void => {
      for (const { step } of liveSteps(steps)) {
        if (step.kind === "model") known.add(`${variant} ${sample} ${step.turn}`)
        else if (step.kind === "summary") known.add(`noter ${variant} ${sample} ${step.until}`)
        else if (step.kind === "user")
          known.add(`customer ${sample} ${step.turn === 0 ? "opening" : `${variant} ${step.turn - 1}`}`)
      }
    }
    const open = new Map<string, { variant: string; sample: string; steps: EpisodeStep[] }>()
    for (const { step, number, variant, sampleId } of store.steps(record.id)) {
      const key = `${variant} ${sampleId}`
      const one = open.get(key) ?? { variant, sample: sampleId, steps: [] }
      one.steps[number] = step
      open.set(key, one)
    }
    for (const { variant, sample, steps } of open.values()) add(variant, sample, steps)
    for (const variant of variants)
      for (const { sampleId, episode } of store.generations(record.id, variant))
        add(variant, sampleId, episode?.steps ?? [])
    return known
  })
}

function bookEnd(folder: string, tally: UserTally, samples: number, served: number): void {
  reading(folder, (store, record) => {
    if (!record) return void tally.faults.push("no run is on record")
    let right = 0
    for (const variant of variants)
      for (const { outcome, sampleId, episode } of store.generations(record.id, variant)) {
        const said = liveSteps(episode?.steps ?? []).map(({ step }) => (step.kind === "tool" ? "" : step.text))
        if (outcome === "ok" && said.join("|") === wordsOf(variant, sampleId).join("|")) right++
      }
    tally.otherWords = tally.episodes - right
    const answers = samples * variants.length * turns
    // The first words are the same for both variants, and asked for once.
    const replies = samples * (1 + variants.length * turns)
    const notes = samples * variants.length
    const reported = (store.report(record.id)?.variants ?? []).map(({ cost }) => cost.totalUsd)
    const usd = reported.reduce((sum, one) => sum + (one.status === "known" ? one.value : Number.NaN), 0)
    tally.variantUsdOff = rounded(usd - answers * perCall.variant)
    const calls = [...store.modelCalls(record.id)]
    const apart = calls.reduce((sum, { costUsd }) => sum + (costUsd ?? Number.NaN), 0)
    tally.userUsdOff = rounded(apart - (replies + notes) * perCall.user)
    tally.mostUnknownPerKill = tally.kills === 0 ? 0 : (served - answers - replies - notes) / tally.kills
  })
}

/** Everything that is said in one conversation, in order; before the last answer the first turn is summed up. */
function wordsOf(variant: string, sample: string): readonly string[] {
  const answer = (turn: number) => `${variant} ${sample} ${turn}`
  return [`words 0 ${sample}`, answer(0), `words 1 ${sample}`, answer(1), `words 2 ${sample}`, "notes", answer(2), ""]
}

const rounded = (usd: number): number => Math.round(usd * 1e9) / 1e9

/** The variants, the customer and who keeps the notes, told apart by the model that is asked for. */
function startModels(asked: string[]): Promise<Mock> {
  return startMock(({ body }) => {
    const messages = body.messages as unknown as readonly JsonObject[]
    const all = messages.map(({ content }) => String(content))
    const [text, name, tokens] = replyTo(String(body.model), all, messages)
    asked.push(name)
    const delta = { choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }] }
    const usage = { choices: [], usage: { prompt_tokens: tokens - 5, completion_tokens: 5, total_tokens: tokens } }
    return { events: [delta, usage].map((one) => `data: ${JSON.stringify(one)}\n\n`).concat("data: [DONE]\n\n") }
  })
}

function replyTo(
  model: string,
  all: readonly string[],
  messages: readonly JsonObject[],
): readonly [text: string, name: string, tokens: number] {
  if (model === "noter") {
    const [, variant, sample, turn] = /\b([ab]) (s\d+) (\d)/.exec(all.join(" ")) ?? []
    return ["notes", `noter ${variant} ${sample} ${Number(turn) + 1}`, 10]
  }
  if (model === "customer") {
    const sample = /What you want:\n(s\d+)/.exec(all[0] ?? "")?.[1]
    const round = messages.filter(({ role }) => role === "assistant").length
    const [, variant, turn] = /\b([ab]) s\d+ (\d)/.exec(round === 0 ? "" : (all.at(-1) ?? "")) ?? []
    const name = `customer ${sample} ${round === 0 ? "opening" : `${variant} ${turn}`}`
    return [round < turns ? `words ${round} ${sample}` : "###STOP###", name, 10]
  }
  const [, turn, sample] = /words (\d) (s\d+)$/.exec(all.at(-1) ?? "") ?? []
  return [`${model} ${sample} ${turn}`, `${model} ${sample} ${turn}`, 20]
}

function writeProject(folder: string, baseUrl: string, samples: number): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, goal: `s${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { writeSync } from "node:fs"
import { custom, dataset, defineConfig, episode, openai, simulatedUser, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "test", date: "2026-01-01" }
const at = (model, mark) => {
  const provider = openai({ model, baseUrl: "${baseUrl}/v1", apiKeyVariable: null, price })
  return { ...provider, async open(context) {
    const session = await provider.open(context)
    return { ...session, request(request, options) { writeSync(3, mark + "\\n"); return session.request(request, options) } }
  } }
}
const user = simulatedUser({ provider: at("customer", "customer"), goal: "{{goal}}", maxTurns: 6 })
const history = { last: 1, summary: { provider: at("noter", "noter") } }
export default defineConfig({
  name: "killed users", dataset: dataset("data.jsonl"), concurrency: ${concurrency},
  metrics: [custom({ name: "length", range: [0, 1000], measure: (sample, { text }) => text.length })],
  variants: ["a", "b"].map((name) => variant({ name, provider: at(name, "answer"), episode: episode({ user, history }) })),
})
`,
  )
}
