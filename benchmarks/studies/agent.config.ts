// Run by agent.ts. The job: questions about a shop, each of which one of three tools answers. All of it is made by the rules below.

import type { ToolCall } from "evalkit"
import {
  argumentF1,
  contains,
  defineConfig,
  episode,
  episodeMetrics,
  prompt,
  tool,
  toolCorrectness,
  variant,
} from "evalkit"
import { machinePrice, model } from "./models.ts"

const items = ["apples", "lamps", "chairs", "bottles", "pencils", "towels"]
const lookups = [
  {
    name: "stock",
    does: "pieces of an item in stock",
    ask: "How many ITEM are in stock?",
    of: (n: number) => 17 + 13 * n,
  },
  { name: "price", does: "price of an item in dollars", ask: "What do ITEM cost?", of: (n: number) => 3 + 2 * n },
  {
    name: "supplier",
    does: "supplier of an item",
    ask: "Who supplies the ITEM?",
    of: (n: number) => ["Arden", "Belmont", "Corwin", "Dalton"][n % 4] as string,
  },
]

/** A tool notes what it was called with: the task is done where that is what was asked for. */
interface Shop {
  readonly calls: ToolCall[]
}
const tools = lookups.map(({ name, does, of }) =>
  tool({
    name,
    description: does,
    parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    run: ({ item }, { state }: { state: Shop }) => {
      state.calls.push({ name, arguments: { item: item ?? null } })
      const n = items.indexOf(String(item))
      return n < 0 ? { error: "no such item" } : { [name]: of(n) }
    },
  }),
)

const system = "You answer questions about a shop. Look everything up with the tools."
const asked = (ask: string, item: string) => ask.replace("ITEM", item)
/** One question of each kind with its call, the result and the answer; of items that no task asks about. */
const examples = lookups.flatMap(({ name, ask, of }, n) => {
  const item = items[n] as string
  return [
    { role: "user" as const, content: asked(ask, item) },
    { role: "assistant" as const, content: "", toolCalls: [{ id: name, name, arguments: { item } }] },
    { role: "tool" as const, content: JSON.stringify({ [name]: of(n) }), toolCallId: name },
    { role: "assistant" as const, content: `${of(n)}` },
  ]
})

const agent = (name: "smollm2" | "gemma3", isShown: boolean) =>
  variant({
    name: isShown ? `${name}-shown` : name,
    provider: model(name),
    price: machinePrice,
    prompt: prompt([...(isShown ? examples : []), { role: "user", content: "{{input}}" }], { system }),
    parameters: { temperature: 0, maxTokens: 48 },
    episode: episode({ tools, state: (): Shop => ({ calls: [] }), maxSteps: 3 }),
  })

export default defineConfig({
  name: "agent-study",
  dataset: lookups.flatMap(({ name, ask, of }) =>
    items.slice(lookups.length).map((item) => ({
      id: `${name}-${item}`,
      input: asked(ask, item),
      references: [`${of(items.indexOf(item))}`],
      expectedTools: [{ name, arguments: { item } }],
      kind: name,
    })),
  ),
  variants: [agent("smollm2", false), agent("smollm2", true), agent("gemma3", true)],
  metrics: [
    episodeMetrics.finalState({
      success: (state, { expectedTools }) => {
        const [call] = (state as unknown as Shop).calls
        return expectedTools.some((entry) => JSON.stringify(entry) === JSON.stringify(call))
      },
    }),
    contains(),
    toolCorrectness(),
    argumentF1(),
    episodeMetrics.resultUse(),
  ],
  slices: ["kind"],
  baseline: "smollm2-shown",
  margin: 0.05,
  axes: ["quality", "perCorrectUsd", "e2eMs"],
  seed: 1,
  concurrency: 1,
})
