import type { Generation } from "../../core/generation.ts"
import type { Highlight } from "../../core/report/report-sample.ts"
import { isPanelRow } from "../../core/report/section-judge.ts"
import { answerWords } from "../../wording/answer-notes.ts"
import { sentencePeaks } from "../sections/sentence-peaks.ts"

/** Passages that are kept per metric and answer. */
const maxPassages = 20
const maxReasonLength = 300

/**
 * The passages of an answer's text that a metric's row objects to: `offences` of hallucination detectors (text, start,
 * reason) and `leaks` of personal data (kind, start, length). Rows come out of a file: whatever does not lie inside the
 * text is left out.
 *
 * @example highlightsOf("claims", { offences: [{ text: "in 1902", start: 12, reason: "not in the passage" }] }, answer)
 * // [{ kind: "unsupported", metric: "claims", start: 12, length: 7, reason: "not in the passage" }]
 */
export function highlightsOf(metric: string, row: unknown, text: string): readonly Highlight[] {
  const marks: Highlight[] = []
  const add = (kind: Highlight["kind"], start: unknown, length: number, reason: unknown) => {
    if (!Number.isInteger(start) || (start as number) < 0 || !Number.isInteger(length) || length <= 0) return
    if ((start as number) + length > text.length || marks.length >= maxPassages) return
    marks.push({ kind, metric, start: start as number, length, reason: String(reason ?? "").slice(0, maxReasonLength) })
  }
  for (const { text: passage, start, reason } of listOf(row, "offences"))
    add("unsupported", start, typeof passage === "string" ? passage.length : 0, reason)
  for (const { kind, start, length } of listOf(row, "leaks"))
    add("leak", start, typeof length === "number" ? length : 0, kind)
  return marks
}

/** The most surprising sentences of a given text, where a metric of its perplexity has a row; see {@link sentencePeaks}. */
export function surprisalsOf(metric: string, row: unknown, generation: Generation): readonly Highlight[] {
  const { isGivenText, logprobs, text } = generation
  if (!isGivenText || !isPerplexityRow(row) || !logprobs) return []
  return sentencePeaks(text, logprobs).map(({ start, length, nats, textNats, token, tokenNats }) => ({
    kind: "surprising",
    metric,
    start,
    length,
    reason: answerWords.surprising(nats.toFixed(2), textNats.toFixed(2), token.slice(0, 40), tokenNats.toFixed(1)),
  }))
}

function isPerplexityRow(row: unknown): boolean {
  return typeof row === "object" && row !== null && "nats" in row && "tokens" in row && "bytes" in row
}

/** Whether the scores of a panel's judges differ by half of the scale or more. */
export function isDisputed(row: unknown): boolean {
  if (!isPanelRow(row) || typeof row.disagreement !== "number" || !Array.isArray(row.range)) return false
  const [low, high] = row.range
  return row.disagreement > 0 && row.disagreement >= (high - low) / 2
}

function listOf(row: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  if (typeof row !== "object" || row === null) return []
  const list = (row as Readonly<Record<string, unknown>>)[name]
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : []
}
