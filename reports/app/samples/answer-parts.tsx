import { metricCalled } from "../../../src/words/metric.ts"
import { counted } from "../../../src/words/number.ts"
import { plainLines, plainText } from "../../../src/words/text.ts"
import type { AnswerText, ShownMedia } from "../../page/payload.ts"
import { usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"
import { type DiffPiece, segmentsOf } from "./segments.ts"

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

/** Kinds that a browser draws without running anything: what the page was made with is not trusted to say so. */
const drawn = /^image\/(png|jpeg|gif|webp)$/

/** A picture of the question, small, with a line that says what it is; the line alone where the page does not hold the picture. */
export function Picture({ shown }: { readonly shown: ShownMedia }) {
  const { label, block, mediaType = "" } = shown
  const data = block !== undefined && drawn.test(mediaType) ? document.getElementById(block)?.textContent : null
  const words = plainText(label, 200)
  return (
    <figure class="picture">
      {data && <img src={`data:${mediaType};base64,${data}`} alt={words} />}
      <figcaption class="note">{`[${words}]`}</figcaption>
    </figure>
  )
}

/** What each stage of a pipeline had at its end; the one after which the passages that the answer needs were gone is open and says so. */
export function StagePassages({ stages }: { stages: NonNullable<AnswerText["stagePassages"]> }) {
  return (
    <ol class="stage-passages" aria-label="passages by stage">
      {stages.map(([stage, passages, total, isLost], index) => (
        <li key={index}>
          <details open={isLost}>
            <summary>
              after <Foreign text={stage} limit={80} />: {counted(total, "passage")}
              {isLost && <strong> · lost here: the passages that the answer needs are gone</strong>}
            </summary>
            <ol>
              {passages.map((passage, i) => (
                <li key={i}>
                  <Foreign text={passage} limit={20_000} />
                </li>
              ))}
            </ol>
            {total > passages.length && <small>and {counted(total - passages.length, "more passage")}</small>}
          </details>
        </li>
      ))}
    </ol>
  )
}
