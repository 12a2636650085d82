import { createHmac } from "node:crypto"
import type { Cost } from "../core/cost.ts"
import type { Answer } from "../core/generation.ts"
import type { JsonObject } from "../core/json.ts"
import { isFailure } from "../core/outcome.ts"
import { requestFigures } from "../perf/request-figures.ts"
import { createRedaction, type Redaction, type RedactionOptions } from "../text/personal-data/redaction.ts"
import { createRedact, redactValue } from "../text/redact.ts"
import { redactSecrets } from "../text/secrets.ts"
import { apiOf, parametersOf, questionOf } from "./chat-request.ts"

/** One side of a pair. */
export interface PairSide {
  readonly variant: "primary" | "candidate"
  readonly answer: Answer
  readonly cost: Cost
  /** Milliseconds since 1970. */
  readonly sentAtMs: number
  readonly model: string
  /** Host that was asked. */
  readonly host: string
}

/** A pair to be stored. */
export interface Pair {
  readonly id: string
  readonly cluster: string
  readonly body: JsonObject
  readonly secrets: readonly string[]
  readonly sides: readonly [PairSide, PairSide]
}

/** Makes the lines of pairs. */
export interface PairRows {
  /** Two lines, primary and candidate, in the form of LiteLLM's `StandardLoggingPayload`, which everything that reads logs of production reads. */
  lines(pair: Pair): Promise<string>
}

/** Pairs after which the pseudonyms are forgotten: the key makes the same ones again. */
const maxPairsOfRedaction = 1000

/** @param options the key that makes pseudonyms and names of clusters */
export function createPairRows(options: RedactionOptions & { readonly key: Buffer }): PairRows {
  let redaction: Redaction = createRedaction(options)
  let pairs = 0
  return {
    async lines({ id, cluster, body, secrets, sides }) {
      if (++pairs % maxPairsOfRedaction === 0) redaction = createRedaction(options)
      const own = createRedact(secrets)
      const texts = {
        messages: questionOf(body),
        model_parameters: parametersOf(body),
        sides: sides.map(({ answer }) => ({ response: responseOf(answer), ...errorOf(answer) })),
      }
      const clean = await redaction.record(redactValue(redactValue(texts, redactSecrets), own))
      const { messages, model_parameters } = clean
      const hashed = createHmac("sha256", options.key).update(cluster).digest("hex").slice(0, 16)
      const shared = {
        id,
        trace_id: id,
        session_id: `c${hashed}`,
        call_type: apiOf(body) === "chat" ? "acompletion" : "aresponses",
        messages,
        model_parameters,
      }
      return sides.map((side, i) => `${JSON.stringify({ ...shared, ...factsOf(side), ...clean.sides[i] })}\n`).join("")
    },
  }
}

function factsOf({ variant, answer, cost, sentAtMs, model, host }: PairSide): JsonObject {
  const { log, usage, outcome, servedModel } = answer
  const { ttftMs, e2eMs } = requestFigures(log, usage.completionTokens, usage.reasoningTokens)
  const endMs = sentAtMs + (e2eMs ?? log.endMs - log.sendMs)
  return {
    model_group: variant,
    model: servedModel ?? model,
    custom_llm_provider: host,
    status: isFailure(outcome) ? "failure" : "success",
    startTime: sentAtMs / 1000,
    completionStartTime: (ttftMs === null ? endMs : sentAtMs + ttftMs) / 1000,
    endTime: endMs / 1000,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    response_cost: cost.status === "known" ? cost.usd : null,
    cache_hit: null,
  }
}

/** Of an answer that failed so much is kept, in characters: a flood is no answer. */
const maxFailedLength = 20_000

function responseOf({ outcome, toolCalls, finishReason, usage, ...answer }: Answer) {
  const length = isFailure(outcome) ? maxFailedLength : undefined
  const [text, reasoning] = [answer.text.slice(0, length), answer.reasoning.slice(0, length)]
  const calls = toolCalls.map(({ id, name, arguments: values }) => ({
    id: id ?? null,
    type: "function",
    function: { name, arguments: typeof values === "string" ? values : JSON.stringify(values) },
  }))
  return {
    choices: [
      {
        message: {
          role: "assistant",
          content: text,
          ...(reasoning !== "" && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        finish_reason: finishReason,
      },
    ],
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedPromptTokens },
      completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    },
  }
}

function errorOf({ outcome, failure, httpStatus }: Answer) {
  if (!isFailure(outcome)) return {}
  return {
    error_str: failure?.message ?? outcome,
    error_information: { error_class: outcome, error_code: httpStatus === null ? null : String(httpStatus) },
  }
}
