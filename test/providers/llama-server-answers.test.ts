import { describe, expect, it } from "vitest"
import { llamaCppServer } from "../../src/providers/presets.ts"
import { textScorer } from "../../src/providers/text-scorer.ts"
import { testContext } from "../support/ask.ts"
import { serveLoopback } from "../support/loopback.ts"

/** What the mock was asked, by path. */
const asked: { readonly path: string; readonly body: Record<string, unknown> }[] = []

const controls = new Map([
  ["<|user|>", 1001],
  ["<|assistant|>", 1002],
])
const start = { id: 1, piece: "<s>" }

/**
 * llama.cpp's server as its README documents `/apply-template`, `/tokenize` and `/completion`: a token is a character, control tokens are
 * read where `parse_special` says so, and the n-th token of an answer has the log-probability −n.
 */
async function startServer(hasTemplate = true): Promise<string> {
  asked.length = 0
  const server = await serveLoopback((request, response, text) => {
    const body = JSON.parse(text) as Record<string, unknown>
    const path = request.url ?? ""
    asked.push({ path, body })
    const answer = reply(path, body, hasTemplate)
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json; charset=utf-8" })
    response.end(JSON.stringify(answer ?? { error: { code: 404, message: "File Not Found", type: "not_found_error" } }))
  })
  return server.url
}

function reply(path: string, body: Record<string, unknown>, hasTemplate: boolean): object | null {
  if (path === "/apply-template" && hasTemplate) {
    const turns = body.messages as { readonly role: string; readonly content: string }[]
    return { prompt: `${turns.map(({ role, content }) => `<|${role}|>${content}`).join("")}<|assistant|>` }
  }
  if (path === "/tokenize") {
    const pieces = String(body.content).split(body.parse_special === true ? /(<\|\w+\|>)|/u : /(?:)/u)
    const tokens = pieces.filter(Boolean).map((piece) => ({ id: controls.get(piece) ?? piece.charCodeAt(0), piece }))
    return { tokens: body.add_special === true ? [start, ...tokens] : tokens }
  }
  if (path !== "/completion") return null
  const ids = [...String(body.grammar).matchAll(/<\[(\d+)\]>/g)].map(([, id]) => Number(id))
  const scored = ids.map((id, i) => {
    const token = String.fromCharCode(id)
    const entry = { id, token, bytes: [...Buffer.from(token)], logprob: -(i + 1) }
    return { ...entry, top_logprobs: [entry] }
  })
  return { truncated: false, stop_type: "limit", completion_probabilities: scored }
}

async function answered(baseUrl: string, messages: readonly { role: "user" | "assistant"; content: string }[]) {
  const session = await textScorer(llamaCppServer({ model: "m", baseUrl })).open(testContext())
  const nowMs = testContext().clock.now()
  try {
    return await session.request(
      { messages, parameters: { topLogprobs: 1 } },
      {
        signal: new AbortController().signal,
        timeouts: { connectMs: 10_000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 60_000 },
        clock: testContext().clock,
        originMs: nowMs,
        scheduledMs: nowMs,
      },
    )
  } finally {
    await session.close()
  }
}

describe("an answer after a chat prompt, scored by llama.cpp's server", () => {
  it("stands behind the prompt that the server's own template makes, each of its tokens with its probability", async () => {
    const answer = await answered(await startServer(), [
      { role: "user", content: "2+2?" },
      { role: "assistant", content: "4<|user|>" },
    ])
    expect(answer).toMatchObject({ outcome: "ok", text: "4<|user|>", isGivenText: true })
    // Control tokens of the template are read, those that the answer spells out are not.
    expect(answer.logprobs?.map(({ token }) => token)).toEqual([..."4<|user|>"])
    expect(answer.logprobs?.map(({ logprob }) => logprob)).toEqual([-1, -2, -3, -4, -5, -6, -7, -8, -9])
    expect(asked.filter(({ path }) => path === "/apply-template").map(({ body }) => body)).toEqual([
      { messages: [{ role: "user", content: "2+2?" }] },
    ])
    const scored = asked.find(({ path }) => path === "/completion")?.body
    expect(scored?.prompt).toEqual([1, 1001, ...[..."2+2?"].map((letter) => letter.charCodeAt(0)), 1002])
  })

  it("fails with the server's own reason where it knows no templates", async () => {
    const answer = await answered(await startServer(false), [
      { role: "user", content: "2+2?" },
      { role: "assistant", content: "4" },
    ])
    expect(answer.outcome).toBe("http_4xx")
    expect(answer.failure?.message).toContain("File Not Found")
  })
})
