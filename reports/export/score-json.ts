import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { figureValue } from "../../src/core/report/figure.ts"
import type { ScoredMetric } from "../terminal/score-table.ts"

/** A metric over answers that another tool made, with how it was computed. */
export interface DetailedMetric extends ScoredMetric {
  readonly signature: string
  readonly details: JsonValue
}

/** What `evalkit score --json` prints: every metric by name, with its interval and how many answers it could score. */
export function scoreJson(figures: readonly DetailedMetric[], total: number, notes: readonly string[]): JsonObject {
  return {
    n: total,
    metrics: Object.fromEntries(
      figures.map(({ metric, signature, figure, answered, failed, scored, unscored, details }) => [
        metric,
        {
          value: figure.status === "known" ? figure.value : null,
          low: figure.status === "known" ? (figure.low ?? null) : null,
          high: figure.status === "known" ? (figure.high ?? null) : null,
          ...(figure.status === "known" ? { method: figure.method } : { reason: figure.reason }),
          ...(failed && { failed, answered: answered ? figureValue(answered) : null }),
          scored,
          unscored: total - scored,
          ...(unscored.size > 0 && { reasons: Object.fromEntries(unscored) }),
          signature,
          details,
        },
      ]),
    ),
    ...(notes.length > 0 && { notes }),
  }
}
