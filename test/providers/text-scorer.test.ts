import { describe, expect, it } from "vitest"
import { systemClock } from "../../src/core/clock.ts"
import type { TokenLogprob } from "../../src/core/generation.ts"
import { ScoringError } from "../../src/core/given-text.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { OpenContext, Provider, ProviderSession } from "../../src/core/provider.ts"
import { textScorer } from "../../src/providers/text-scorer.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

const context: OpenContext = {
  clock: systemClock,
  signal: new AbortController().signal,
  environment: {},
  cacheDirectory: "",
  progress: () => {},
}
const half = (text: string): TokenLogprob[] => [...text].map((token) => ({ token, logprob: Math.log(0.5), top: [] }))

/** A provider with the given ways of scoring beside its answers. */
function scoring(ways: Pick<ProviderSession, "scoreText" | "scoreAnswer">): ReturnType<typeof fakeProvider> {
  const plain = fakeProvider("m", () => fakeAnswer("never"))
  return Object.assign(plain, {
    open: ((inner) => async (input: OpenContext) => ({ ...(await inner(input)), ...ways }))(plain.open.bind(plain)),
  })
}

async function ask(provider: Provider, messages: readonly ChatMessage[], totalMs = 5000) {
  const session = await provider.open(context)
  const originMs = systemClock.now()
  return session.request(
    { messages, parameters: { topLogprobs: 3 } },
    {
      signal: context.signal,
      timeouts: { connectMs: 1000, firstTokenMs: 1000, gapMs: 1000, totalMs },
      clock: systemClock,
      originMs,
      scheduledMs: originMs,
    },
  )
}

const text = (content: string): readonly ChatMessage[] => [{ role: "user", content }]

describe("textScorer", () => {
  it("answers with the text itself and the probability of each of its tokens, and generates nothing", async () => {
    const asked: (number | undefined)[] = []
    const provider = scoring({
      scoreText: async (piece, _signal, alternatives) => {
        asked.push(alternatives)
        return half(piece)
      },
    })
    const answer = await ask(textScorer(provider), text("one two"))
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "one two",
      finishReason: null,
      isGivenText: true,
      log: { events: [] },
    })
    expect(answer.usage).toMatchObject({ promptTokens: 7, completionTokens: 0 })
    expect(answer.logprobs).toEqual(half("one two"))
    expect(asked).toEqual([3])
    expect(provider.requests).toEqual([])
  })

  it("reads a long text through its window and counts what it read", async () => {
    const pieces: string[] = []
    const provider = scoring({
      scoreText: async (piece) => {
        pieces.push(piece)
        return half(piece)
      },
    })
    const answer = await ask(textScorer(provider, { window: 2, stride: 1 }), text("a b c"))
    expect(pieces).toEqual(["a b", " b c"])
    expect(answer.logprobs!.map(({ token }) => token).join("")).toBe("a b c")
    expect(answer.usage.promptTokens).toBe(7)
  })

  it("scores a final turn of the assistant after the turns before it", async () => {
    const seen: unknown[] = []
    const provider = scoring({
      scoreText: async (piece) => half(piece),
      scoreAnswer: async (messages, answer) => {
        seen.push(messages, answer)
        return half(answer)
      },
    })
    const turns: readonly ChatMessage[] = [...text("2 + 2?"), { role: "assistant", content: "4" }]
    expect(await ask(textScorer(provider), turns)).toMatchObject({ text: "4", finishReason: null, isGivenText: true })
    expect(seen).toEqual([text("2 + 2?"), "4"])
    const without = scoring({ scoreText: async (piece) => half(piece) })
    expect(await ask(textScorer(without), turns)).toMatchObject({ outcome: "client_fault", logprobs: null })
  })

  it("ends a failed call in the class of its failure, so that it is retried as any other", async () => {
    const failing = scoring({
      scoreText: () => {
        throw new ScoringError("HTTP 503: busy", { where: "/v1/completions", outcome: "http_5xx", httpStatus: 503 })
      },
    })
    expect(await ask(textScorer(failing), text("x"))).toMatchObject({
      outcome: "http_5xx",
      httpStatus: 503,
      text: "",
      failure: { message: expect.stringContaining("busy") },
    })
    const slow = scoring({
      scoreText: (_piece, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () =>
            reject(new ScoringError("cancelled", { where: "", outcome: "cancelled", httpStatus: null })),
          )
        }),
    })
    expect((await ask(textScorer(slow), text("x"), 20)).outcome).toBe("timeout_total")
    expect((await ask(textScorer(scoring({ scoreText: async () => [] })), text(""))).outcome).toBe("empty")
  })

  it("refuses an endpoint that cannot score texts, closes it, and refuses a stride that skips words", async () => {
    const plain = fakeProvider("m", () => fakeAnswer("never"))
    await expect(textScorer(plain).open(context)).rejects.toThrow(/cannot score given texts/)
    expect(plain.closed.count).toBe(1)
    expect(() => textScorer(plain, { window: 4, stride: 5 })).toThrow(/stride/)
  })

  it("is another variant than the provider that it asks, and than another window", () => {
    const plain = fakeProvider("m", () => fakeAnswer("never"))
    const identities = [plain, textScorer(plain), textScorer(plain, { window: 10 })].map(({ identity }) => identity)
    expect(new Set(identities.map((identity) => JSON.stringify(identity))).size).toBe(3)
    expect(textScorer(plain)).toMatchObject({ kind: plain.kind, model: plain.model, endpoint: plain.endpoint })
  })
})
