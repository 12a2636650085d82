import { describe, expect, it } from "vitest"
import { anthropic, openai } from "../../src/providers.ts"
import { askProvider } from "../support/ask-provider.ts"
import { serveLoopback } from "../support/loopback.ts"

const messages = [{ role: "user", content: "Where is Lyon?" }] as const

/** What is made of an error with a status and a code, by the client of a service. */
async function outcomeOf(status: number, code: string, make = openai): Promise<string> {
  const server = await serveLoopback((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify({ error: { message: "Incorrect API key provided", code, type: code } }))
  })
  const provider = make({ model: "m", baseUrl: server.url, apiKeyVariable: "KEY" })
  const { answer } = await askProvider(provider, { messages, environment: { KEY: "wrong" } })
  return answer.outcome
}

describe("an error whose code is a word of refusals", () => {
  it.each([401, 402, 404])("is none of the content at status %i, which speaks of the account", async (status) => {
    for (const code of ["refused", "content_filter", "safety"]) expect(await outcomeOf(status, code)).toBe("http_4xx")
    expect(await outcomeOf(status, "refused", anthropic as never)).toBe("http_4xx")
  })
  it.each([400, 403, 422])("is a refusal at status %i", async (status) => {
    expect(await outcomeOf(status, "content_filter")).toBe("refused")
  })
})
