import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "../shared-server.ts"

let server: RunningServer
let client: OpenAI

beforeAll(async () => {
  ;({ server, client } = await openTestServer({ parallel: 3 }))
})
afterAll(() => server?.stop())

type Message = OpenAI.ChatCompletionMessageParam

/** A conversation that goes on by one question a turn; each turn gives the tokens of its prompt, and those of them that were cached. */
function conversation(system: string, cache = true) {
  const messages: Message[] = [{ role: "system", content: system }]
  return async (question: string) => {
    messages.push({ role: "user", content: question })
    const request = { model: "tiny", messages, temperature: 0, max_tokens: 8, cache_prompt: cache }
    const { choices, usage } = await client.chat.completions.create(request)
    messages.push({ role: "assistant", content: choices[0]?.message.content ?? "" })
    return { prompt: usage?.prompt_tokens ?? 0, cached: usage?.prompt_tokens_details?.cached_tokens ?? 0 }
  }
}

const rules = "Answer in one word, in German, and do not say anything else than that."

describe("conversations that take turns at one server", () => {
  it.each([
    ["of different rules", "Translate all that is said into German.", "Be brief."],
    ["of the same rules", rules, rules],
  ])("each find the whole of what was read before, also with others between them (%s)", async (_, one, other) => {
    const [a, b, alone] = [conversation(one), conversation(other), conversation("Nothing is kept.", false)]
    const first = [await a("The aunt draws a green apple."), await b("What is 12 + 30?")]
    for (const question of ["The uncle needs a big table.", "What is 5 + 6?"]) {
      await alone(question)
      const next = [await a(question), await b(question)]
      for (const [i, { cached }] of next.entries()) expect(cached).toBeGreaterThanOrEqual(first[i]!.prompt)
      next.forEach((turn, i) => {
        first[i] = turn
      })
    }
  })

  it("read everything anew where they do not ask for the cache, whatever came before", async () => {
    const turns = conversation(rules, false)
    for (const question of ["What is 1 + 2?", "What is 3 + 4?"]) expect((await turns(question)).cached).toBe(0)
  })

  it("find it also where texts are embedded between their turns", async () => {
    const turns = ["Say it in German.", "Be brief.", "Count."].map((system) => conversation(system))
    const first = []
    for (const turn of turns) first.push(await turn("What is 12 + 30?"))
    await Promise.all(["a", "b", "c", "d"].map((input) => client.embeddings.create({ model: "tiny", input })))
    for (const [i, turn] of turns.entries())
      expect((await turn("What is 5 + 6?")).cached).toBeGreaterThanOrEqual(first[i]!.prompt)
  })
})
