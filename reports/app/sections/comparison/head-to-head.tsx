import { plainText } from "../../../../src/words/text.ts"
import { decidingComparison } from "../../../view-model/comparisons.ts"
import { usePage } from "../../context.tsx"
import { Choice, Section } from "../../parts.tsx"
import { setHash, useHashState } from "../../state.ts"
import { ComparedPair } from "./compared-pair.tsx"
import { ComparisonMatrix } from "./comparison-tables.tsx"
import { OtherPair } from "./other-pair.tsx"

/** Any two variants face to face: differences, flips, latency densities, cost, and the way to the samples that flipped. */
export function HeadToHead() {
  const { report } = usePage()
  const { comparisons, variants } = report
  const preferred = decidingComparison(report)
  const [askedCandidate, setCandidate] = useHashState("candidate", preferred?.candidate ?? "")
  const [askedBaseline, setBaseline] = useHashState("baseline", preferred?.baseline ?? "")
  if (!preferred) return null
  const areKnown = [askedCandidate, askedBaseline].every((name) => variants.some((variant) => variant.name === name))
  const isPair = areKnown && askedCandidate !== askedBaseline
  const { candidate, baseline } = isPair ? { candidate: askedCandidate, baseline: askedBaseline } : preferred
  const shown = comparisons.find((entry) => entry.candidate === candidate && entry.baseline === baseline) ?? null
  const options = variants.map(({ name }) => ({ value: name, title: plainText(name, 60) }))
  const without = (taken: string) => options.filter(({ value }) => value !== taken)
  return (
    <Section id="pair" title="Head to head">
      {comparisons.length > 1 && (
        <ComparisonMatrix
          chosen={shown}
          onChoose={(comparison) => setHash({ candidate: comparison.candidate, baseline: comparison.baseline })}
        />
      )}
      <div class="controls">
        <Choice label="compare" value={candidate} options={without(baseline)} onChange={setCandidate} />
        <Choice label="with" value={baseline} options={without(candidate)} onChange={setBaseline} />
      </div>
      {shown ? <ComparedPair comparison={shown} /> : <OtherPair baseline={baseline} candidate={candidate} />}
    </Section>
  )
}
