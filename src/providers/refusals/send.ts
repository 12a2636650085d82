import { readErrorBody } from "../../capture/classify.ts"
import type { Exchange } from "../../capture/exchange.ts"
import { connectionHint } from "../../capture/failure-hint.ts"
import { decodeExchange } from "../../capture/stream/decode-body.ts"
import { type Answer, type Attempt, attemptOf } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { GenerationParameters } from "../../core/provider.ts"
import { withHint } from "../client/with-hint.ts"
import type { RefusalMemory } from "./memory.ts"
import { parametersIn, withoutParameters } from "./parameters.ts"

/** One attempt, and how it is sent and read. */
export interface RefusableRequest {
  readonly parameters: GenerationParameters
  /** Where it is sent: `scheme://host:port`. */
  readonly origin: string
  /** Written for each attempt, so that none is kept while its answer is waited for. */
  body(): JsonObject
  /** The refusable parameters that the body holds, where the caller knows them. */
  readonly held?: readonly string[]
  readonly memory: RefusalMemory
  /** Parameters that are never left out, by their usual names. */
  readonly kept?: readonly string[]
  send(body: JsonObject): Promise<Exchange>
  /** @param asked the refusable parameters that were sent */
  read(exchange: Exchange, asked: readonly string[]): Answer
  /** Notes what a final exchange shows of the endpoint. */
  ended?(asked: readonly string[], answer: Answer, exchange: Exchange): void
}

/** Sends a request, and again without each parameter that the endpoint refuses, at most once per parameter. */
export async function sendWithoutRefused(request: RefusableRequest): Promise<Answer> {
  const call = request.memory.call(request.parameters)
  const refused: Attempt[] = []
  for (;;) {
    const { wanted: parameters, asked, answered } = sendOnce(request, call.withheld())
    const exchange = decodeExchange(await answered)
    const read = request.read(exchange, asked)
    const answer = withHint(read, connectionHint(read.outcome, read.failure, request.origin, process.env))
    if (exchange.status !== null && exchange.status >= 400 && !exchange.interruption) {
      if (call.refused({ status: exchange.status, ...readErrorBody(exchange) }, asked)) {
        refused.push(attemptOf(answer))
        continue
      }
    } else if (isAnswered(answer.outcome)) call.answered()
    request.ended?.(asked, answer, exchange)
    const differences = call.differences(parameters)
    if (differences.length === 0 && refused.length === 0) return answer
    return { ...answer, ...(differences.length > 0 && { differences }), ...(refused.length > 0 && { refused }) }
  }
}

/** Sends what is left of the body; what it wanted and what it asks for are the refusable parameters. */
function sendOnce(request: RefusableRequest, withheld: ReadonlySet<string>) {
  const body = request.body()
  const parameters = request.held ?? heldBy(body, request)
  const sent = withoutParameters(body, withheld)
  return { wanted: parameters, asked: sent === body ? parameters : heldBy(sent, request), answered: request.send(sent) }
}

function heldBy(body: JsonObject, { kept = [] }: RefusableRequest): readonly string[] {
  const names = parametersIn(body)
  return kept.length === 0 ? names : names.filter((name) => !kept.includes(name))
}
