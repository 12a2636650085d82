import type { TokenLogprob } from "../core/generation.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../core/json-members.ts"

/** The tokens of a choice's `logprobs`, as chat completions list them. */
export function readLogprobs(value: unknown): readonly TokenLogprob[] {
  return asList(asMembers(value)?.content).flatMap((item) => {
    const entry = asMembers(item)
    const logprob = readLogprob(entry?.logprob)
    if (!entry || logprob === null) return []
    const token = asText(entry.token)
    return [{ token, logprob, top: readAlternatives(entry, token) }]
  })
}

/** What OpenAI and vLLM write for a token that is as good as impossible: its probability is 0, and it can be stored. */
const impossible = -9999

/** A log-probability; `null` and `-Infinity` are how servers write that of 0, which JSON has no number for. Null where there is none. */
export function readLogprob(value: unknown): number | null {
  return value === null || value === Number.NEGATIVE_INFINITY ? impossible : asNumber(value)
}

/**
 * The alternatives of one token, each under a name of its own: the servers of control tokens and of parts of characters give
 * texts that are empty or U+FFFD, which would take different tokens for one. Where the entries are numbered (llama.cpp), the
 * chosen token has the name that it has in the answer.
 *
 * @param chosen the text of the chosen token
 * @example readAlternatives({ id: 7, top_logprobs: [{ id: 7, token: "", bytes: [169], logprob: -1 }] }, "é") // "é", -1
 */
export function readAlternatives(entry: Members, chosen: string): TokenLogprob["top"] {
  return asList(entry.top_logprobs).flatMap((item) => {
    const other = asMembers(item)
    const logprob = readLogprob(other?.logprob)
    if (!other || logprob === null) return []
    const isChosen = asNumber(other.id) !== null && other.id === entry.id
    return [{ token: isChosen ? chosen : nameOf(other), logprob }]
  })
}

/** A token's text, else its bytes as OpenAI spells them, else its number as llama.cpp's grammars do. */
function nameOf({ token, bytes, id }: Members): string {
  const text = asText(token)
  if (text !== "" && !text.includes("\uFFFD")) return text
  const spelled = asList(bytes).map((byte) => `\\x${(asNumber(byte) ?? 0).toString(16).padStart(2, "0")}`)
  if (spelled.length > 0) return spelled.join("")
  return asNumber(id) === null ? text : `<[${id}]>`
}
