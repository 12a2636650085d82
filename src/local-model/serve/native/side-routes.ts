import type { LoadedModel } from "../load-model.ts"
import type { SequencePool } from "../sequences/sequence-pool.ts"
import { props, slots } from "./state-routes.ts"
import { applyTemplate, detokenize, tokenize } from "./token-routes.ts"

/** What a route is asked that the model does not have to work for. */
export interface SideRequest {
  readonly loaded: LoadedModel
  readonly pool: SequencePool
  readonly query: URLSearchParams
  /** Null of a request without a body. */
  readonly json: unknown
  /** Aborted once the client is gone. */
  readonly signal: AbortSignal
}

/** Routes of llama.cpp's server beside OpenAI's that the model does not have to work for, by method and path; some take turns of the event loop. */
export const sideRoutes: ReadonlyMap<string, (request: SideRequest) => unknown> = new Map([
  ["POST /tokenize", ({ loaded, json, signal }: SideRequest): unknown => tokenize(loaded, json, signal)],
  ["POST /detokenize", ({ loaded, json }: SideRequest): unknown => detokenize(loaded, json)],
  ["POST /apply-template", ({ loaded, json }: SideRequest): unknown => applyTemplate(loaded, json)],
  ["GET /props", ({ loaded, pool }: SideRequest): unknown => props(loaded, pool)],
  ["GET /slots", ({ loaded, pool, query }: SideRequest): unknown => slots(loaded, pool, query)],
])
