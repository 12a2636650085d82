import { figureValue } from "../../core/report/figure.ts"
import { type FirstTokenSplit, splitFirstToken } from "../server/first-token-split.ts"
import type { BenchLevel } from "./bench-level.ts"

/**
 * Where the time to the first token of a level went by its server's own metrics: the client's mean less the server's queue and prefill. Null
 * where the server shows no metrics.
 * @experimental
 */
export function levelSplit({
  speed,
  requests,
  resent = 0,
  serverWindow,
  clientError,
}: Pick<BenchLevel, "speed" | "requests" | "resent" | "serverWindow" | "clientError">): FirstTokenSplit | null {
  if (serverWindow === null) return null
  const { mean: ttft } = speed.ttftMs
  const { mean: e2e } = speed.e2eMs
  // Sums over the same answers: those that were streamed.
  const answers = ttft.status === "known" ? ttft.n : 0
  const client = {
    requests: requests + resent,
    answers,
    ttftMs: (figureValue(ttft) ?? 0) * answers,
    e2eMs: (figureValue(e2e) ?? 0) * answers,
  }
  return splitFirstToken(serverWindow, client, clientError?.ttftMsP99 ?? null)
}
