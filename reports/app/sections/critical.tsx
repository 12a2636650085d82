import { criticalLines } from "../../wording/limits.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said } from "../parts.tsx"
import { Explained } from "../words.tsx"

const shownAtOnce = 6

/** One line per candidate on the samples that must not break; nothing where no sample is marked so. */
export function CriticalSamples() {
  const { report } = usePage()
  const lines = criticalLines(report)
  if (lines.length === 0) return null
  return (
    <ul class="limits" id="critical" aria-label="Samples that must not break">
      {lines.slice(0, shownAtOnce).map(({ candidate, text, isBroken }) => (
        <li key={candidate + text} class={isBroken ? "bad" : ""}>
          <InlineMark variant={candidate} /> <Foreign text={candidate} limit={60} />{" "}
          <Explained word="critical samples">critical samples</Explained>: <Said text={text} limit={600} />
        </li>
      ))}
    </ul>
  )
}
