import { defineConfig, episode, episodeMetrics, fromFunction, passHatK, tool, variant } from "evalkit"

// An agent that books seats: is the task done at the end, whatever the agent says? The stand-ins below follow a rule; put a provider of your
// own in their place. The tool `search` fails at a fifth of its calls on purpose, at the same ones for both variants.
interface Desk {
  readonly seats: Record<string, number>
  readonly booked: string[]
}
const parameters = { type: "object", properties: { flight: { type: "string" } }, required: ["flight"] } as const
const search = tool({
  name: "search",
  description: "Says how many seats a flight has.",
  parameters,
  effects: "none",
  faults: { share: 0.2 },
  run: ({ flight }, { state }: { state: Desk }) => ({ seats: state.seats[String(flight)] ?? 0 }),
})
const book = tool({
  name: "book",
  description: "Books a seat.",
  parameters,
  run: ({ flight }, { state }: { state: Desk }) => {
    const name = String(flight)
    if (!state.seats[name]) throw new Error(`${name} is full`)
    state.seats[name]--
    state.booked.push(name)
    return { booked: name }
  },
})

/** Looks, books where there is a seat, and says so. A careless one takes an error for a full flight. */
const agent = (isCareful: boolean) =>
  fromFunction(
    ({ messages }) => {
      const flight = /[A-Z]{2}\d+/.exec(messages[0]?.content ?? "")?.[0] ?? ""
      const last = messages.at(-1)
      const results = messages.filter(({ role }) => role === "tool").length
      if (last?.role !== "tool") return { toolCalls: [{ name: "search", arguments: { flight } }] }
      if (last.content.includes("error") && isCareful && results < 5)
        return { toolCalls: [{ name: "search", arguments: { flight } }] }
      if (/"seats":[1-9]/.test(last.content)) return { toolCalls: [{ name: "book", arguments: { flight } }] }
      return last.content.includes("booked") ? `${flight} is booked.` : `${flight} has no seat.`
    },
    { name: isCareful ? "careful" : "careless", version: String(isCareful) },
  )

const design = episode({
  tools: [search, book],
  state: (): Desk => ({ seats: { SK1: 2, SK2: 1, SK3: 4 }, booked: [] }),
  maxSteps: 8,
})

export default defineConfig({
  name: "booking agent",
  dataset: ["SK1", "SK2", "SK3"].flatMap((flight) =>
    [1, 2, 3, 4].map((n) => ({ id: `${flight}-${n}`, input: `Please book ${flight} for me.`, flight })),
  ),
  repeats: 2,
  variants: [
    variant({ name: "careful", provider: agent(true), episode: design }),
    variant({ name: "careless", provider: agent(false), episode: design }),
  ],
  metrics: [
    episodeMetrics.finalState({
      name: "booked",
      success: (state, { metadata }) => (state as unknown as Desk).booked.join() === metadata.flight,
    }),
    passHatK({ k: 2, correct: "booked" }),
    episodeMetrics.toolRecovery(),
    episodeMetrics.needlessCalls(),
  ],
})
