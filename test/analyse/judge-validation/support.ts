import type { MetricRow } from "../../../src/core/metric/metric.ts"
import type { JudgeVerdict, PanelRow } from "../../../src/core/report/section-judge.ts"

/** A verdict with everything that a test does not care about. */
export function verdict(judge: string, score: number | null, overrides: Partial<JudgeVerdict> = {}): JudgeVerdict {
  return {
    judge,
    model: judge,
    status: score === null ? "unscored" : "scored",
    score,
    choice: score,
    reason: null,
    repeats: score === null ? [] : [score],
    calls: 1,
    repaired: 0,
    failed: score === null ? 1 : 0,
    seconds: 0.5,
    costUsd: 0.001,
    alsoCandidate: false,
    ...overrides,
  }
}

/** A judged answer's row. */
export function judgedRow(
  sampleId: string,
  members: readonly JudgeVerdict[],
  overrides: Partial<PanelRow> = {},
): MetricRow {
  const scores = members.flatMap(({ score }) => (score === null ? [] : [score]))
  const score = scores.length === 0 ? 0 : scores.reduce((sum, value) => sum + value, 0) / scores.length
  const row: PanelRow = {
    kind: "panel",
    score,
    range: [0, 1],
    disagreement: scores.length < 2 ? null : Math.max(...scores) - Math.min(...scores),
    escalated: false,
    members,
    dropped: [],
    answerCharacters: 10,
    ...overrides,
  }
  return { sampleId, repeat: 0, measured: { status: "scored", row }, value: row.score }
}
