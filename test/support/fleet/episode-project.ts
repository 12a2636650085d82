import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Asked, type Served, usdPerToken } from "./service-server.ts"

/** Answers of the model in an episode of the agent, and in a conversation. */
const rounds = { agent: 3, talk: 3 }
/** Calls of any model that a sample takes: the user of a conversation speaks after each of the answers. */
export const callsOfSample = rounds.agent + 2 * rounds.talk

/**
 * Two variants that ask a service at SERVICE_URL: an agent that looks something up, charges for it (a tool with effects outside, which
 * writes a line into `charged.txt`) and is done, and one that talks with a simulated user. What is right is `task 12`.
 */
export function writeEpisodeProject(folder: string, samples: number): void {
  mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `task ${i}`, reference: `task ${i}` }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(join(folder, "package.json"), '{"type": "module"}')
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { appendFileSync } from "node:fs"
import { dataset, defineConfig, episode, exactMatch, openai, renderers, simulatedUser, tool, variant } from "evalkit"
const { SERVICE_URL, WORKER = "single", CONCURRENCY = "4" } = process.env
const perMillion = ${usdPerToken * 1e6}
const price = { kind: "tokens", inputPerMillion: perMillion, outputPerMillion: perMillion, cachedInputPerMillion: null, source: "bench", date: "2026-01-01" }
const asked = (model: string) => openai({ model, baseUrl: SERVICE_URL, apiKeyVariable: null, headers: { "x-worker": WORKER }, price })
const parameters = { type: "object", properties: { key: { type: "string" } }, required: ["key"] } as const
const tools = [
  tool({ name: "lookup", parameters, effects: "none", run: ({ key }) => ({ found: key }) }),
  tool({ name: "charge", parameters, effects: "outside", run({ key }) { appendFileSync("charged.txt", key + "\\n"); return "charged" } }),
]
const user = simulatedUser({ provider: asked("user"), goal: "{{input}}", maxTurns: 6, parameters: { maxTokens: 16 } })
export default defineConfig({
  name: "episodes", dataset: dataset("data.jsonl"), concurrency: Number(CONCURRENCY), reports: [renderers.json()],
  retry: { retries: 3, baseDelayMs: 50, maxDelayMs: 5_000 },
  variants: [
    variant({ name: "agent", provider: asked("agent"), price, parameters: { maxTokens: 16 }, episode: episode({ tools, maxSteps: 5 }) }),
    variant({ name: "talk", provider: asked("talk"), price, parameters: { maxTokens: 16 }, episode: episode({ user }) }),
  ],
  baseline: "agent", metrics: [exactMatch()],
})
`,
  )
}

/** What the service answers: a function of what it is asked alone. */
export function serveEpisode({ model, text, rounds: round }: Asked): Served {
  const task = /task \d+/.exec(text)?.[0] ?? ""
  if (model === "user") return { text: round > rounds.talk - 1 ? "###STOP###" : `more of ${task}, ${round}` }
  if (model === "talk") return { text: round === rounds.talk - 1 ? task : `so far ${round} of ${task}` }
  const name = ["lookup", "charge"][round]
  return name ? { text: "", toolCalls: [{ name, arguments: { key: task } }] } : { text: task }
}

/** What was charged for, as often as it was. */
export function chargedIn(folder: string): readonly string[] {
  const path = join(folder, "charged.txt")
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean).sort() : []
}
