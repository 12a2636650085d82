import { defineConfig, episode, episodeMetrics, exactMatch, fromFunction, variant } from "evalkit"

// A support chat of two turns: may we send the model only the last question, at a fraction of the tokens? The stand-in below answers from what
// it is shown and nothing else; put a provider of your own in its place.
const orders: Readonly<Record<string, string>> = { "A-17": "Tuesday", "B-23": "Friday", "C-31": "Monday" }
const chat = fromFunction(
  ({ messages }) => {
    const shown = messages.filter(({ role }) => role === "user").map(({ content }) => content)
    const order = /[A-C]-\d\d/.exec(shown.join(" "))?.[0]
    return order === undefined ? "Which order do you mean?" : (orders[order] ?? "I do not know that order.")
  },
  { name: "chat" },
)

export default defineConfig({
  name: "support chat",
  dataset: Object.entries(orders).map(([order, day]) => ({
    id: order,
    turns: [`When will order ${order} come?`, "Sorry, which day was that?"],
    reference: [day, day],
  })),
  variants: [
    variant({ name: "whole-history", provider: chat, episode: episode() }),
    variant({ name: "last-question", provider: chat, episode: episode({ history: { last: 0 } }) }),
  ],
  metrics: [episodeMetrics.perTurn(exactMatch()), episodeMetrics.perTurn(exactMatch(), { turn: 2 })],
})
