import { counted } from "../../../src/words/number.ts"
import { milliseconds } from "../../../src/words/quantity.ts"
import type { AnswerText } from "../../page/payload.ts"
import { round } from "../charts/mark.tsx"
import { Foreign } from "../parts.tsx"

type Entries = NonNullable<AnswerText["thread"]>

/**
 * An episode in order: who said what, and when it began and how long it took. Beside another one, what both have in common is folded
 * away, and the step at which they part is marked.
 */
export function Thread({ thread, partsAt }: { thread: Entries; partsAt: number | null }) {
  const end = Math.max(0, ...thread.map(([, , , , endMs]) => endMs ?? 0))
  const common = partsAt ?? 0
  return (
    <details open>
      <summary>
        {counted(thread.length, "step")} in {milliseconds(end)}
      </summary>
      <TimeLine thread={thread} end={end} />
      {common > 0 && (
        <details>
          <summary>{`the first ${counted(common, "step")}, the same in both`}</summary>
          <Steps thread={thread} from={0} to={common} partsAt={null} />
        </details>
      )}
      <Steps thread={thread} from={common} to={thread.length} partsAt={partsAt} />
    </details>
  )
}

function Steps(props: { thread: Entries; from: number; to: number; partsAt: number | null }) {
  const { thread, from, to, partsAt } = props
  return (
    <ol class="thread" start={from + 1}>
      {thread.slice(from, to).map(([who, label, text, startMs, endMs], index) => (
        <li key={index} class={`${who}${from + index === partsAt ? " parts" : ""}`}>
          <small>
            {who} {label && <Foreign text={label} limit={300} />}
            {startMs !== null &&
              endMs !== null &&
              ` at ${milliseconds(startMs)}, took ${milliseconds(endMs - startMs)}`}
            {from + index === partsAt && " · here they part"}
          </small>
          <Foreign text={text} limit={20_000} />
        </li>
      ))}
    </ol>
  )
}

/** When the model and the tools were at work. Calls side by side lie over each other. */
function TimeLine({ thread, end }: { thread: Entries; end: number }) {
  const spans = thread.flatMap(([who, , , startMs, endMs]) =>
    startMs === null || endMs === null ? [] : [{ who, startMs, endMs }],
  )
  if (end <= 0 || spans.length === 0) return null
  const total = (role: string) =>
    spans.reduce((sum, { who, startMs, endMs }) => (who === role ? sum + endMs - startMs : sum), 0)
  const label = `model ${milliseconds(total("model"))}, tools ${milliseconds(total("tool"))}, over ${milliseconds(end)}`
  return (
    <svg class="timeline thread-time" viewBox="0 0 400 26" role="img" aria-label={label}>
      {spans.map(({ who, startMs, endMs }, index) => (
        <rect
          key={index}
          class={who}
          x={round((startMs / end) * 398 + 1)}
          y={who === "tool" ? 13 : 2}
          width={round(Math.max(1, ((endMs - startMs) / end) * 398))}
          height="10"
        >
          <title>{`${who}: ${milliseconds(endMs - startMs)}`}</title>
        </rect>
      ))}
    </svg>
  )
}
