import { metricCalled } from "../../../src/words/metric.ts"
import { plainLines } from "../../../src/words/text.ts"
import type { AnswerText } from "../../page/payload.ts"
import { usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"
import { segmentsOf } from "./segments.ts"
import type { DiffPiece } from "./word-diff.ts"

/** The text of an answer: what differs is marked, passages that a metric objects to are underlined and numbered. */
export function Output({ answer, pieces }: { answer: AnswerText; pieces: readonly DiffPiece[] | undefined }) {
  if (answer.text.trim() === "") return <NoText text={answer.text} />
  const highlights = answer.highlights ?? []
  return (
    <bdi class="foreign">
      {segmentsOf(answer.text, pieces ?? [], highlights).map((segment, index) => {
        const text = plainLines(segment.text)
        const body = segment.own ? <mark>{text}</mark> : text
        if (segment.passages.length === 0) return <span key={index}>{body}</span>
        const reasons = segment.passages.map((position) => highlights[position]?.[3] ?? "")
        return (
          <span key={index} class="objected" title={plainLines(reasons.join("\n"))}>
            {body}
            {segment.ends.map((position) => (
              <sup key={position}>{position + 1}</sup>
            ))}
          </span>
        )
      })}
    </bdi>
  )
}

/** In place of a text that shows nothing. */
export function NoText({ text }: { text: string }) {
  return <span class="unknown">{text === "" ? "no text" : "only white space"}</span>
}

/** What the numbers behind marked passages mean: the metric and its reason. */
export function Objections({ answer, metrics }: { answer: AnswerText; metrics: readonly string[] }) {
  const { report } = usePage()
  if (!answer.highlights || answer.highlights.length === 0) return null
  return (
    <ol class="objections" aria-label="marked passages">
      {answer.highlights.map(([, , metric, reason], index) => (
        <li key={index}>
          <span class="role">{metricCalled(report.metrics, metrics[metric] ?? "a metric")}</span>
          <Foreign text={reason} limit={300} />
        </li>
      ))}
    </ol>
  )
}
