import type { RequestLog } from "../core/request-log.ts"
import { requestFigures } from "./request-figures.ts"

/**
 * What four load generators would print for one request, in milliseconds; null where the log cannot say.
 * @experimental
 */
export interface ToolFigures {
  readonly tool: "vLLM" | "AIPerf" | "GuideLLM" | "llmperf"
  readonly ttftMs: number | null
  /** What the tool calls TPOT, or its time per token where it has no such word. */
  readonly tpotMs: number | null
  /** What the tool calls ITL. One value per request, or one per chunk where the tool keeps them. */
  readonly itlMs: readonly number[]
}

/**
 * The figures of one request as vLLM's bench, NVIDIA's AIPerf, GuideLLM and Ray's llmperf define them. n is the output
 * token count.
 *
 * - vLLM: TTFT at the first chunk, empty ones too; TPOT = (E2E − TTFT) / (n − 1); ITL = the gaps between chunks.
 * - AIPerf: TTFT at the first non-empty chunk; ITL = (E2E − TTFT) / (n − 1), one value per request.
 * - GuideLLM: time per output token = E2E / n; ITL = (r_last − r_1) / (n − 1).
 * - llmperf: "inter-token latency" = E2E / n, the wait for the first token included.
 *
 * @example toolFigures(workedExample, 64) // TPOT 17.1 (vLLM), ITL 17.1 (AIPerf), TPOT 22.8 (GuideLLM), chunk gap 200
 * @experimental
 */
export function toolFigures(log: RequestLog, completionTokens: number | null): readonly ToolFigures[] {
  const { ttftAnyMs: ttftMs, e2eMs, iclMs, outputTokens } = requestFigures(log, completionTokens)
  const first = log.events.find((event) => event.kind === "role" || event.kind === "content" || event.bytes > 0)
  const firstChunkMs = first && ttftMs !== null ? first.atMs - log.sendMs : null
  const n = outputTokens ?? 0
  const perLaterToken = (sinceMs: number | null) =>
    e2eMs === null || sinceMs === null || n < 2 ? null : (e2eMs - sinceMs) / (n - 1)
  const perToken = e2eMs === null || n < 1 ? null : e2eMs / n
  const later = perLaterToken(ttftMs)
  const only = (value: number | null) => (value === null ? [] : [value])
  return [
    { tool: "vLLM", ttftMs: firstChunkMs, tpotMs: perLaterToken(firstChunkMs), itlMs: iclMs },
    { tool: "AIPerf", ttftMs, tpotMs: later, itlMs: only(later) },
    { tool: "GuideLLM", ttftMs, tpotMs: perToken, itlMs: only(later) },
    { tool: "llmperf", ttftMs, tpotMs: perToken, itlMs: only(perToken) },
  ]
}
