import { readAlternatives } from "../../capture/read-logprobs.ts"
import type { TokenLogprob } from "../../core/generation.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { fail, type ScoringRequest } from "./scoring-request.ts"
import type { Endpoint } from "./transport.ts"

/**
 * Log-probabilities of the tokens of a given text by llama.cpp's server, which echoes no prompt: the text is cut into tokens,
 * and a grammar of their numbers makes the model generate exactly these; each comes with its probability before the grammar
 * (`post_sampling_probs: false`). A grammar refuses tokens that are a part of a character, and the server lists none for them:
 * each of these is looked up in the whole distribution, in a request of its own.
 *
 * The first token is scored where the model has a start token. A token that completes a character represents all of it; the
 * ones before it have no text. Needs a build whose grammars know token numbers (`<[42]>`); an older one ends as `malformed`.
 *
 * An answer after other turns is scored behind the prompt that the server's own chat template makes of them (`/apply-template`).
 */
export function createLlamaServerScorer(
  endpoint: Endpoint,
  request: ScoringRequest,
): Required<Pick<ProviderSession, "scoreText" | "scoreAnswer">> {
  // The native paths are beside /v1, not below it.
  const native = (resource: string) => endpoint.path(resource).replace(/\/v1(?=\/)/, "")
  const [tokenize, detokenize, complete] = [native("/tokenize"), native("/detokenize"), native("/completion")]
  const template = native("/apply-template")
  /** Control tokens have no text where they are listed; each is asked for once. */
  const controls = new Map<unknown, string>()

  const cut = async (content: string, add: boolean, parse: boolean, signal: AbortSignal) => {
    const asked = { content, add_special: add, parse_special: parse, with_pieces: true }
    return asList((await request(tokenize, asked, signal)).tokens).map((token) => readToken(token, tokenize))
  }

  /** The log-probabilities of `bare`, behind `before`. */
  const score = async (before: readonly Token[], bare: readonly Token[], alternatives: number, signal: AbortSignal) => {
    const tokens = [...before, ...bare]

    /** The scores of the tokens after the first `from` ones that a grammar gives. */
    const predict = async (from: number, count: number, grammar: string, listed: number) => {
      const body = await request(
        complete,
        {
          prompt: tokens.slice(0, from).map(({ id }) => id),
          n_predict: count,
          grammar,
          n_probs: listed,
          post_sampling_probs: false,
          temperature: 0,
          cache_prompt: from > 1,
          stream: false,
        },
        signal,
      )
      if (body.truncated === true) await overflow()
      return listOf(body.completion_probabilities)
    }
    /** Makes the server say in its own words, and with its own numbers, that the text is longer than its context. */
    const overflow = () =>
      request(complete, { prompt: tokens.map(({ id }) => id), n_predict: 1, stream: false }, signal)

    const force = async (from: number, to: number) => {
      const ids = tokens.slice(from, to).map(({ id }) => id)
      const grammar = `root ::= ${ids.map((id) => `<[${id}]>`).join(" ")}`
      const scores = await predict(from, ids.length, grammar, Math.max(1, alternatives))
      if (scores.length !== ids.length || scores.some(({ id }, i) => id !== ids[i])) fail(notFollowed, complete)
      return scores
    }
    const lookUp = async (at: number) => {
      const [any] = await predict(at, 1, anyLetters, wholeVocabulary)
      const all = any ? alternativesOf(any) : []
      const entry = all.find(({ id }) => id === tokens[at]?.id)
      return [{ ...entry, top_logprobs: all.slice(0, alternatives) }]
    }

    const scores: Members[] = []
    // Nothing predicts a first token that nothing precedes.
    const from = Math.max(1, before.length)
    for (let at = from; at < tokens.length; at = from + scores.length) {
      const end = tokens.findIndex(({ forcible }, i) => i >= at && !forcible)
      const to = end < 0 ? tokens.length : end
      scores.push(...(to > at ? await force(at, to) : await lookUp(at)))
    }
    for (const { id } of scores.flatMap(alternativesOf).filter(isControl))
      if (!controls.has(id)) controls.set(id, asText((await request(detokenize, { tokens: [id] }, signal)).content))
    const named = (item: Members) => (isControl(item) ? { ...item, token: controls.get(item.id) } : item)
    // Without a start token the text's own first token is in the prompt, and has no score.
    const texts = spell(bare).slice(bare.length - scores.length)
    return scores.map((score, i) => {
      const top = alternativesOf(score).map(named)
      return readScore(texts[i] as string, { ...score, top_logprobs: top }, complete)
    })
  }

  return {
    async scoreText(text, signal, alternatives = 1) {
      const [special, bare] = await Promise.all([cut(text, true, false, signal), cut(text, false, false, signal)])
      const first = special[0]
      const start = first && special.length > bare.length && first.id !== bare[0]?.id ? [first] : []
      return score(start, bare, alternatives, signal)
    },
    async scoreAnswer(messages, answer, signal, alternatives = 20) {
      const turns = messages.map(({ role, content }) => ({ role, content }))
      const { prompt } = await request(template, { messages: turns }, signal)
      if (typeof prompt !== "string") return fail("the server made no prompt of the messages", template)
      // The template spells its control tokens out; those of the answer are only characters.
      const [before, bare] = await Promise.all([cut(prompt, true, true, signal), cut(answer, false, false, signal)])
      if (before.length === 0) return fail("the prompt of the messages has no token", template)
      return score(before, bare, alternatives, signal)
    },
  }
}

const notFollowed = "the server did not follow the tokens of the text: its build may not know grammars of token numbers"

/** Tokens of plain letters, which every vocabulary has: the server lists the distribution only beside whole characters. */
const anyLetters = "root ::= [a-z]+"

/** More than any model has. */
const wholeVocabulary = 1_000_000

/** The binding's floats end at 2⁻¹⁴⁹; the server gives the largest negative float for a probability of 0. */
const minLogprob = Math.log(2 ** -149)

interface Token {
  readonly id: number
  readonly bytes: Buffer
  /** Whether a grammar can name it: whole characters, and not the one that ends a text in C. */
  readonly forcible: boolean
}

const alternativesOf = (score: Members): readonly Members[] => listOf(score.top_logprobs)

const isControl = ({ token, bytes }: Members): boolean => token === "" && asList(bytes).length === 0

function listOf(value: unknown): readonly Members[] {
  return asList(value)
    .map(asMembers)
    .filter((item) => item !== null)
}

function readToken(value: unknown, path: string): Token {
  const token = asMembers(value)
  const id = asNumber(token?.id)
  if (id === null) return fail("the server gave no token numbers", path)
  // A piece that is no text by itself comes as its bytes.
  const { piece } = token as Members
  if (Array.isArray(piece)) return { id, bytes: Buffer.from(piece.map(Number)), forcible: false }
  const text = asText(piece)
  return { id, bytes: Buffer.from(text), forcible: text !== "" && !text.startsWith("\0") }
}

/** The texts of tokens, which together are the text. */
function spell(tokens: readonly Token[]): readonly string[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  return tokens.map(({ bytes }, i) => decoder.decode(bytes, { stream: i < tokens.length - 1 }))
}

function readScore(token: string, score: Members, path: string): TokenLogprob {
  const logprob = asNumber(score.logprob)
  if (logprob === null) return fail("the server gave no log-probability of a token", path)
  return { token, logprob: Math.max(logprob, minLogprob), top: readAlternatives(score, token) }
}
