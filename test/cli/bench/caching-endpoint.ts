import { serveLoopback } from "../../support/loopback.ts"

/** Milliseconds until the first token: of a prompt whose start is known, and of another. */
export const truth = { hitMs: 15, missMs: 75 }

/** What an endpoint with a prompt cache does differently. */
export interface CachingOptions {
  /** Says how many tokens of a prompt came from its cache. Default true. */
  readonly reports?: boolean
  /** Tokens of every answer, whatever was asked for; 0: as many as were asked for. Default 4. */
  readonly answerTokens?: number
  /** Cannot keep anything: every prompt is read anew. Default false. */
  readonly forgets?: boolean
}

/**
 * A loopback endpoint with a prompt cache of blocks of 16 words. A prompt of which at least half is known has its first token
 * after {@link truth}`.hitMs`, another after `missMs`; tokens are words.
 */
export async function startCachingEndpoint({ reports = true, answerTokens = 4, forgets = false }: CachingOptions = {}) {
  const names = new Set<string>()
  const seen: { readonly words: number; readonly cached: number }[] = []
  const event = (choice: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`
  const cachedWords = (words: readonly string[]) => {
    let cached = 0
    let prefix = ""
    for (let from = 0; from + 16 <= words.length; from += 16) {
      prefix += ` ${words.slice(from, from + 16).join(" ")}`
      if (names.has(prefix) && cached === from) cached = from + 16
      if (!forgets) names.add(prefix)
    }
    return cached
  }
  const server = await serveLoopback(async (request, response, body) => {
    if (request.method === "GET") return response.writeHead(404).end()
    const asked = JSON.parse(body) as { messages: { content: string }[]; max_tokens?: number }
    const words = (asked.messages.at(-1)?.content ?? "").split(" ")
    const cached = cachedWords(words)
    seen.push({ words: words.length, cached })
    const count = answerTokens || (asked.max_tokens ?? 4)
    response.writeHead(200, { "content-type": "text/event-stream" })
    await new Promise((resolve) => setTimeout(resolve, cached >= words.length / 2 ? truth.hitMs : truth.missMs))
    for (let token = 0; token < count; token++) response.write(event({ delta: { content: ` w${token}` } }))
    response.write(event({ delta: {}, finish_reason: count >= (asked.max_tokens ?? 1e9) ? "length" : "stop" }))
    const usage = {
      prompt_tokens: words.length,
      completion_tokens: count,
      total_tokens: words.length + count,
      ...(reports && { prompt_tokens_details: { cached_tokens: cached } }),
    }
    response.end(`${event({}, { choices: [], usage })}data: [DONE]\n\n`)
  })
  return {
    url: server.url,
    seen,
    close: server.close,
  }
}
