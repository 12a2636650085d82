import type { ToolCall, ToolDefinition } from "../../../src/core/message.ts"
import { between, draw, type Generator, pick } from "../data/item.ts"
import { cities, foods, people } from "../data/words.ts"

const currencies = ["euro", "dollar", "yen", "pound", "peso", "franc"]

/** The five tools that the models know, as JSON schema. */
export const tinyTools: readonly ToolDefinition[] = [
  tool("weather", { city: "string", when: "string" }),
  tool("timer", { minutes: "integer" }),
  tool("exchange", { amount: "integer", from: "string", to: "string" }),
  tool("message", { to: "string", text: "string" }),
  tool("book", { city: "string", people: "integer" }),
]

/** A request that one tool call serves, written as JSON. */
export const toolCall: Generator = (random) => {
  const { request, call, group } = pick(random, [weather, timer, exchange, message, book])()
  return {
    task: "tool",
    prompt: `Call a tool: ${request}`,
    answer: JSON.stringify({ name: call.name, arguments: call.arguments }),
    keys: [`call:${call.name}/${Object.values(call.arguments as object).join("/")}`],
    expectedTools: [call],
    ...(group === undefined ? {} : { group }),
  }

  function weather(): Drawn {
    const city = pick(random, cities)
    const when = pick(random, ["now", "today", "tomorrow", "tonight"])
    return { request: `How is the weather in ${city} ${when}?`, call: { name: "weather", arguments: { city, when } } }
  }
  function timer(): Drawn {
    const minutes = between(random, 2, 180)
    const request = pick(random, [`Set a timer for ${minutes} minutes.`, `Wake me in ${minutes} minutes.`])
    return { request, call: { name: "timer", arguments: { minutes } } }
  }
  function exchange(): Drawn {
    const [from, to] = draw(random, currencies, 2) as [string, string]
    const amount = between(random, 2, 500)
    return {
      request: `How much is ${amount} ${from} in ${to}?`,
      call: { name: "exchange", arguments: { amount, from, to } },
    }
  }
  function message(): Drawn {
    const { name, gender } = pick(random, people)
    const text = `${pick(random, ["buy", "bring", "cook"])} ${pick(random, foods)}`
    return {
      request: `Tell ${name} to ${text}.`,
      call: { name: "message", arguments: { to: name, text } },
      group: gender,
    }
  }
  function book(): Drawn {
    const city = pick(random, cities)
    const count = between(random, 2, 12)
    const request = pick(random, [
      `Book a table for ${count} in ${city}.`,
      `We are ${count} and want to eat in ${city}.`,
    ])
    return { request, call: { name: "book", arguments: { city, people: count } } }
  }
}

interface Drawn {
  readonly request: string
  readonly call: ToolCall
  readonly group?: string
}

function tool(name: string, parameters: Record<string, string>): ToolDefinition {
  const properties = Object.fromEntries(Object.entries(parameters).map(([key, type]) => [key, { type }]))
  return { name, parameters: { type: "object", properties, required: Object.keys(parameters) } }
}
