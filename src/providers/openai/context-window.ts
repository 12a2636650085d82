import type { Exchange } from "../../capture/exchange.ts"
import { openWireConnections } from "../../capture/wire-connections.ts"
import { systemClock } from "../../core/clock.ts"
import { asList, asMembers, asNumber, type Members, parseJson } from "../../core/json-members.ts"
import { type Endpoint, requestHeaders } from "./transport.ts"

/**
 * Tokens that a model holds at once, from the endpoint's list of models: `max_model_len` (vLLM), `meta.n_ctx` (llama.cpp,
 * `evalkit serve`), `context_length` (OpenRouter, Together, Fireworks), `context_window` (Groq), `max_context_length`
 * (Mistral). Null when the endpoint does not say, or cannot be asked. Asked on a connection of its own: the first request of a bench
 * is to find none.
 */
export async function readContextWindow(
  endpoint: Endpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | null> {
  const request = {
    method: "GET",
    path: endpoint.path("/models"),
    headers: requestHeaders(endpoint),
    body: null,
  } as const
  const connections = await openWireConnections(endpoint.origin)
  let exchange: Exchange
  try {
    exchange = await connections.capture(request, { clock: systemClock, timeouts, signal, maxAnswerBytes: 16e6 })
  } finally {
    await connections.close()
  }
  if (exchange.interruption || exchange.status !== 200) return null
  const parsed = parseJson(Buffer.concat(exchange.chunks).toString("utf8"))
  const body = "value" in parsed ? parsed.value : null
  // Together answers with the bare list.
  const rows = asList(asMembers(body)?.data ?? body)
    .map(asMembers)
    .filter((row) => row !== null)
  const row = rows.find(({ id }) => id === model) ?? (rows.length === 1 ? rows[0] : undefined)
  return row ? statedBy(row) : null
}

function statedBy(row: Members): number | null {
  const meta = asMembers(row.meta)
  const stated = [row.max_model_len, meta?.n_ctx, row.context_length, row.context_window, row.max_context_length]
  const tokens = stated.map(asNumber).find((value) => value !== null && value > 0)
  return tokens ?? asNumber(meta?.n_ctx_train)
}

const limitMs = 3000
const timeouts = { connectMs: limitMs, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }
