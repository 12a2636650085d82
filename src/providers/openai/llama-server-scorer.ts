import type { TokenLogprob } from "../../core/generation.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../capture/json-access.ts"
import { fail, type ScoringRequest } from "./scoring-request.ts"
import type { Endpoint } from "./transport.ts"

/**
 * Log-probabilities of the tokens of a given text by llama.cpp's server, which echoes no prompt: the text is cut into tokens,
 * and a grammar of their numbers makes the model generate exactly these; each comes with its probability before the grammar
 * (`post_sampling_probs: false`). The first token is scored where the model has a start token. Needs a build whose grammars
 * know token numbers (`<[42]>`); an older one ends as `malformed`.
 */
export function createLlamaServerScorer(
  endpoint: Endpoint,
  request: ScoringRequest,
): NonNullable<ProviderSession["scoreText"]> {
  // The native paths stand beside /v1, not below it.
  const native = (resource: string) => endpoint.path(resource).replace(/\/v1(?=\/)/, "")
  const [tokenize, complete] = [native("/tokenize"), native("/completion")]
  return async (text, signal, alternatives = 1) => {
    const cut = async (special: boolean) => {
      const body = await request(tokenize, { content: text, add_special: special, with_pieces: true }, signal)
      return asList(body.tokens).map((token) => readToken(token, tokenize))
    }
    const [tokens, bare] = await Promise.all([cut(true), cut(false)])
    const targets = tokens.slice(1)
    if (targets.length === 0) return []
    const body = await request(
      complete,
      {
        prompt: tokens.slice(0, 1).map(({ id }) => id),
        n_predict: targets.length,
        grammar: `root ::= ${targets.map(({ id }) => `<[${id}]>`).join(" ")}`,
        n_probs: Math.max(1, alternatives),
        post_sampling_probs: false,
        temperature: 0,
        cache_prompt: false,
        stream: false,
      },
      signal,
    )
    const scores = asList(body.completion_probabilities).map(asMembers)
    if (scores.length !== targets.length || scores.some((score, i) => score?.id !== targets[i]?.id))
      fail(
        "the server did not follow the tokens of the text: its build may not know grammars of token numbers",
        complete,
      )
    // Without a start token the text's own first token stands in the prompt, and has no score.
    const scored = tokens.length > bare.length ? bare : bare.slice(1)
    return scored.map(({ piece }, i) => readScore(piece, scores[i] as Members, complete))
  }
}

function readToken(value: unknown, path: string): { id: number; piece: string } {
  const token = asMembers(value)
  const id = asNumber(token?.id)
  if (id === null) return fail("the server gave no token numbers", path)
  const piece = token?.piece
  // A piece that is no text by itself comes as its bytes.
  return { id, piece: Array.isArray(piece) ? Buffer.from(piece.map(Number)).toString("utf8") : asText(piece) }
}

function readScore(token: string, score: Members, path: string): TokenLogprob {
  const logprob = asNumber(score.logprob)
  if (logprob === null) return fail("the server gave no log-probability of a token", path)
  const top = asList(score.top_logprobs).flatMap((item) => {
    const other = asMembers(item)
    const value = asNumber(other?.logprob)
    return value === null ? [] : [{ token: asText(other?.token), logprob: value }]
  })
  return { token, logprob, top }
}
