// The first run of `npm start`: conversations and tasks with tools on a small model that ships with evalkit, on this machine. The model was trained
// on single questions: is it better shown the last one alone, and do four bits change what it does with tools?
import { readFileSync } from "node:fs"
import {
  custom,
  defineConfig,
  episode,
  type JsonObject,
  local,
  type Price,
  type Provider,
  type ToolCall,
  tool,
  variant,
} from "evalkit"

const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)
const price: Price = {
  kind: "hourly",
  usdPerHour: 0.1,
  instances: 1,
  utilisation: 0.5,
  source: "assumed",
  date: "2026-11-22",
}
const questions = readFileSync(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as JsonObject)
const of = (task: string): JsonObject[] => questions.filter((row) => row.task === task)

/** The model writes a call as JSON: what is one becomes a call, and a result is shown to it as a question. */
function callingTools(provider: Provider): Provider {
  return {
    ...provider,
    identity: { calls: "JSON in the text", of: provider.identity },
    async open(context) {
      const session = await provider.open(context)
      return {
        ...session,
        async request({ messages, parameters }, options) {
          const { tools: _written, ...rest } = parameters
          const last = messages.at(-1)
          // It knows single questions only: what a tool returned is one of its own.
          const shown =
            last?.role === "tool" ? [{ role: "user" as const, content: last.content }] : messages.filter(isText)
          const answer = await session.request({ messages: shown, parameters: rest }, options)
          const call = callIn(answer.text)
          return call ? { ...answer, text: "", toolCalls: [call] } : answer
        },
      }
    },
  }
}

function isText({ role, content }: { readonly role: string; readonly content: string }): boolean {
  return role !== "tool" && content !== ""
}

function callIn(text: string): ToolCall | null {
  try {
    const { name, arguments: input } = JSON.parse(text) as ToolCall
    return typeof name === "string" && input !== undefined ? { name, arguments: input } : null
  } catch {
    return null
  }
}

/** Every tool notes what it was called with: the task is done where that is what was asked for, whatever the model says then. */
interface World {
  readonly calls: ToolCall[]
}
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  message: ["to", "text"],
  exchange: ["amount", "from", "to"],
  weather: ["city", "when"],
  timer: ["minutes"],
  book: ["city", "people"],
}
const tools = Object.entries(argumentsOf).map(([name, required]) =>
  tool({
    name,
    parameters: { type: "object", required },
    run: (input, { state }: { state: World }) => {
      state.calls.push({ name, arguments: input })
      return "done"
    },
  }),
)
const state = (): World => ({ calls: [] })

const conversations = of("qa")
  .slice(0, 6)
  .map((first, i) => {
    const turns = [of("arithmetic")[i], first, of("fact")[i]].map((row) => ({
      content: row?.input ?? "",
      references: row?.references ?? [],
    }))
    return { id: `talk-${i + 1}`, turns }
  })
const tasks = of("tool")
  .slice(0, 12)
  .map(({ id, input, expectedTools }) => ({ id: id ?? "", input: input ?? "", expectedTools: expectedTools ?? [] }))

// Two variants of one model share its server.
const f16 = callingTools(local(model))
const agent = (name: string, provider: Provider, history: "full" | { last: number }) =>
  variant({
    name,
    provider,
    price,
    parameters: { temperature: 0, maxTokens: 64 },
    episode: episode({ tools, state, history, maxSteps: 2 }),
  })

export default defineConfig({
  name: "tiny-agent",
  dataset: [...conversations, ...tasks],
  variants: [
    agent("m-f16-all-turns", f16, "full"),
    agent("m-f16", f16, { last: 0 }),
    agent("m-q4_0", callingTools(local(model, { quantization: "Q4_0" })), { last: 0 }),
  ],
  metrics: [
    custom({
      name: "solved",
      direction: "higher",
      range: [0, 1],
      // A task: the first call is the one that was asked for. A conversation: the share of its turns that are right.
      measure: (sample, { episode: done }) => {
        if (sample.expectedTools.length > 0)
          return Number(
            JSON.stringify((done?.state as unknown as World)?.calls[0]) === JSON.stringify(sample.expectedTools[0]),
          )
        const answers = done?.steps.flatMap((step) => (step.kind === "model" ? [step] : [])) ?? []
        const right = (sample.turns ?? []).map(({ references }, turn) =>
          Number(references.includes(answers.findLast((step) => step.turn === turn)?.text ?? "")),
        )
        return right.reduce((sum, value) => sum + value, 0) / right.length
      },
    }),
  ],
  baseline: "m-f16",
  concurrency: 1,
})
