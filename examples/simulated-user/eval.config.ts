import { defineConfig, episode, episodeMetrics, fromFunction, passHatK, simulatedUser, tool, variant } from "evalkit"

// Customers who want their order cancelled or moved to another day, played by a model. The stand-ins below need no key: put providers of your
// own in their place, such as openai({ model: "gpt-5.4-mini" }).
interface Orders {
  [order: string]: string
}

const change = tool({
  name: "change_order",
  parameters: {
    type: "object",
    properties: { order: { type: "string" }, to: { type: "string" } },
    required: ["order", "to"],
  },
  effects: "state",
  run: ({ order, to }, { state }: { state: Orders }) => {
    if (!(String(order) in state)) throw new Error("there is no such order")
    state[String(order)] = String(to)
    return "changed"
  },
})

/** Says what it wants in two steps, as people do, and leaves when it has heard that it is done. Every third of them forgets the number. */
const customer = fromFunction(
  ({ messages, parameters }) => {
    const goal = /What you want:\n(.*)/.exec(messages[0]?.content ?? "")?.[1] ?? ""
    const [, order = "", to = ""] = /order (\S+) .*: (\S+)/.exec(goal) ?? []
    const own = messages.filter(({ role }) => role === "assistant").length
    const heard = messages.at(-1)?.content ?? ""
    if (heard.includes("Done")) return "Thank you! ###STOP###"
    if (own === 0)
      return `Hello, something about my order ${(parameters.seed ?? 0) % 3 === 0 ? "of last week" : order}.`
    return heard.includes("number") ? `It is ${order}.` : `Please make it ${to}.`
  },
  { name: "customer" },
)

/** Asks until it knows the order and the wish; the hasty one takes the first thing that it hears for the wish. */
const clerk = (name: string, isHasty: boolean) =>
  fromFunction(
    ({ messages }) => {
      if (messages.at(-1)?.role === "tool") return "Done."
      const heard = messages.filter(({ role }) => role === "user").map(({ content }) => content)
      const order = /[A-C]-\d\d/.exec(heard.join(" "))?.[0]
      const to = /make it (\w+)/.exec(heard.join(" "))?.[1] ?? (isHasty && order ? "cancelled" : undefined)
      if (order === undefined) return "What is the number of your order?"
      if (to === undefined) return "What shall I do with it?"
      return { text: "", toolCalls: [{ name: "change_order", arguments: { order, to } }] }
    },
    { name },
  )

const design = episode({
  tools: [change],
  state: (): Orders => ({ "A-17": "Tuesday", "B-23": "Friday", "C-31": "Monday" }),
  user: simulatedUser({ provider: customer, goal: "{{goal}}", persona: "{{persona}}", maxTurns: 5, draws: 2 }),
})

export default defineConfig({
  name: "simulated users",
  dataset: [
    {
      id: "cancel",
      persona: "In a hurry.",
      goal: "Have order A-17 changed: cancelled",
      order: "A-17",
      to: "cancelled",
    },
    { id: "move", persona: "Very polite.", goal: "Have order B-23 changed: Monday", order: "B-23", to: "Monday" },
    { id: "later", persona: "Somewhat angry.", goal: "Have order C-31 changed: Sunday", order: "C-31", to: "Sunday" },
  ],
  repeats: 4,
  variants: [
    variant({ name: "careful", provider: clerk("careful", false), episode: design }),
    variant({ name: "hasty", provider: clerk("hasty", true), episode: design }),
  ],
  metrics: [
    episodeMetrics.finalState({
      success: (state, { metadata }) => (state as unknown as Orders)[String(metadata.order)] === metadata.to,
    }),
    passHatK({ k: 2, correct: "finalState" }),
  ],
})
