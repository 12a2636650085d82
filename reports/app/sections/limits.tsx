import { decidingComparison } from "../../view-model/comparisons.ts"
import { criticalLines, type LimitLine, limitLines, limitSentences } from "../../wording/limits.ts"
import { shiftLines } from "../../wording/shifts.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said } from "../parts.tsx"
import { Explained } from "../words.tsx"

const shownAtOnce = 6

/** One line per limit that a variant breaks or may break, of many variants one per limit; nothing where all are kept. */
export function Limits(props: { of?: string | null }) {
  const { report } = usePage()
  const lines = limitLines(report).filter(({ variant }) => props.of === undefined || variant === props.of)
  if (lines.length === 0) return null
  if (lines.length <= shownAtOnce) return <List lines={lines} />
  return (
    <>
      <ul class="limits" aria-label="Limits that are not kept">
        {limitSentences(lines).map((sentence) => (
          <li key={sentence} class="bad">
            <Said text={sentence} limit={1000} />
          </li>
        ))}
      </ul>
      <details>
        <summary>Each limit of each variant</summary>
        <List lines={lines} />
      </details>
    </>
  )
}

function List({ lines }: { lines: readonly LimitLine[] }) {
  return (
    <ul class="limits" aria-label="Limits that are not kept">
      {lines.map(({ variant, text, finding }) => (
        <li key={variant + finding.limit} class={finding.state === "violated" ? "bad" : ""}>
          <InlineMark variant={variant} /> <Foreign text={variant} limit={60} />: <Said text={text} limit={400} />
        </li>
      ))}
    </ul>
  )
}

/** One line per candidate on the samples and checks that must not break; nothing where there are none. */
export function CriticalSamples() {
  const { report } = usePage()
  const lines = criticalLines(report)
  if (lines.length === 0) return null
  return (
    <ul class="limits" id="critical" aria-label="What must not break">
      {lines.slice(0, shownAtOnce).map(({ candidate, label, text, isBroken }) => (
        <li key={candidate + text} class={isBroken ? "bad" : "kept"}>
          <InlineMark variant={candidate} /> <Foreign text={candidate} limit={60} />{" "}
          <Explained word={label}>{label}</Explained>: <Said text={text} limit={600} />
        </li>
      ))}
    </ul>
  )
}

/** What else the candidate of the answer does worse, or better, a line each; nothing where nothing else is proven. */
export function Shifts() {
  const { report } = usePage()
  const about = decidingComparison(report)?.candidate
  const lines = shiftLines(report).filter(({ candidate }) => candidate === about)
  if (lines.length === 0) return null
  return (
    <ul class="limits" id="shifts" aria-label="What else gets worse or better">
      {lines.map(({ way, text }) => (
        <li key={way} class={way === "worse" ? "bad" : ""}>
          <strong>also {way}:</strong> <Said text={text} limit={600} />
        </li>
      ))}
    </ul>
  )
}
