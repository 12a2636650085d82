import { useEffect, useState } from "preact/hooks"
import { metricCalled, metricDifference } from "../../../../src/words/metric.ts"
import { counted } from "../../../../src/words/number.ts"
import { levelText } from "../../../../src/words/percent.ts"
import { plainText } from "../../../../src/words/text.ts"
import { ForestPlot } from "../../charts/forest-plot.tsx"
import { usePage } from "../../context.tsx"
import { Foreign, Said } from "../../parts.tsx"
import { type PairedDifference, pairedDifferences } from "../../samples/pair-values.ts"
import { openRows } from "../../samples/row-store.ts"
import { PartHeading } from "../../words.tsx"
import { Densities } from "../densities.tsx"
import { Flips } from "./flips.tsx"

/** Two variants that the run did not compare, paired over the answers in this file: differences without a verdict. */
export function OtherPair({ baseline, candidate }: { baseline: string; candidate: string }) {
  const { report, facts } = usePage()
  const [findings, setFound] = useState<readonly PairedDifference[] | null>(null)
  useEffect(() => {
    let stopped = false
    void openRows().then((store) => {
      if (store && !stopped) setFound(pairedDifferences(report, store, baseline, candidate))
    })
    return () => {
      stopped = true
    }
  }, [report, baseline, candidate])
  if (!findings) return <p class="note">pairing the samples of this file</p>
  const deciding = findings.find((pairedDifference) => pairedDifference.primary) ?? findings[0]
  const flips = findings.find((pairedDifference) => pairedDifference.primary && pairedDifference.flips)?.flips
  const part = facts.embeddedAnswers < facts.answers ? " of the part of the run that this file holds" : ""
  return (
    <>
      <p class="finding">
        <Said text={deciding ? sentence(deciding, report.metrics, baseline, candidate) : "No metric has pairs."} />
      </p>
      <p class="note">
        Paired here, over the samples{part}; the run has no verdict for these two. For one: evalkit compare{" "}
        <Foreign text={`${baseline} ${candidate}`} limit={130} />
      </p>
      <PartHeading title="Differences, candidate minus baseline" />
      <ForestPlot findings={findings} metrics={report.metrics} />
      <p class="legend">Lines: {levelText(report.run.alpha)} intervals, one by one, not adjusted for their number.</p>
      <div class="columns">
        {flips && (
          <Flips
            baseline={baseline}
            candidate={candidate}
            {...flips}
            note={`${counted(flips.lost + flips.won, "answer")} of ${deciding?.pairs ?? 0} flipped.`}
          />
        )}
        <Densities names={[baseline, candidate]} />
      </div>
    </>
  )
}

function sentence(
  pairedDifference: PairedDifference,
  metrics: ReturnType<typeof usePage>["report"]["metrics"],
  baseline: string,
  candidate: string,
): string {
  const metric = metrics.find(({ name }) => name === pairedDifference.metric) ?? {
    unit: null,
    range: [null, null] as const,
  }
  const text = (value: number | null) => (value === null ? "unknown" : metricDifference(value, metric))
  return `${plainText(candidate, 60)} against ${plainText(baseline, 60)} on ${metricCalled(metrics, pairedDifference.metric)}: ${text(pairedDifference.difference)} (between ${text(pairedDifference.low)} and ${text(pairedDifference.high)}, ${counted(pairedDifference.pairs, "pair")}).`
}
