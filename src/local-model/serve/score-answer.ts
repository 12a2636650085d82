import { outcomeOfStatus } from "../../capture/classify.ts"
import { messageOf } from "../../core/errors.ts"
import type { TokenLogprob } from "../../core/generation.ts"
import { ScoringError } from "../../core/given-text.ts"
import type { ChatMessage } from "../../core/message.ts"

/** The part of the server's answer that is read here. */
interface EchoBody {
  readonly choices?: readonly {
    readonly logprobs?: {
      readonly content?: readonly {
        readonly token: string
        readonly logprob: number
        readonly top_logprobs: TokenLogprob["top"]
      }[]
    }
  }[]
  readonly error?: { readonly message?: string }
}

/**
 * Log-probabilities of the tokens of a given answer to these messages, by our own server: what the perplexity of references
 * is made of. Throws {@link ScoringError} when the server refuses or is gone.
 */
export async function scoreAnswer(
  baseUrl: string,
  messages: readonly ChatMessage[],
  answer: string,
  signal: AbortSignal,
  alternatives = 20,
): Promise<readonly TokenLogprob[]> {
  const turns = [...messages, { role: "assistant", content: answer }]
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      messages: turns.map(({ role, content }) => ({ role, content })),
      echo: true,
      logprobs: true,
      top_logprobs: alternatives,
    }),
  }).catch((error: unknown) => {
    const outcome = signal.aborted ? "cancelled" : "connection"
    throw new ScoringError(messageOf(error), { where: baseUrl, outcome, httpStatus: null })
  })
  const body = (await response.json()) as EchoBody
  const content = body.choices?.[0]?.logprobs?.content
  if (!response.ok || !content) {
    const why = body.error?.message ?? `HTTP ${response.status}`
    const outcome = response.ok ? "malformed" : outcomeOfStatus(response.status)
    throw new ScoringError(why, { where: baseUrl, outcome, httpStatus: response.status })
  }
  return content.map(({ token, logprob, top_logprobs }) => ({ token, logprob, top: top_logprobs }))
}
