import type { Comparison } from "../../../../src/core/report/comparison.ts"
import { count, counted } from "../../../../src/words/number.ts"
import { pNumber } from "../../../../src/words/p-value.ts"
import { levelText } from "../../../../src/words/percent.ts"
import { verdictWords } from "../../../wording/verdict-words.ts"
import { ForestPlot } from "../../charts/forest-plot.tsx"
import { usePage } from "../../context.tsx"
import { Foreign, Said } from "../../parts.tsx"
import { Explained, PartHeading } from "../../words.tsx"
import { Densities } from "../densities.tsx"
import { DifferenceTable, PerformanceTable } from "./comparison-tables.tsx"
import { Flips } from "./flips.tsx"

/** A comparison of the run: verdict, differences, flips, latencies, cost. */
export function ComparedPair({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  const { baseline, candidate, identity, verdict } = comparison
  const finding = comparison.metrics.find((metric) => metric.primary && metric.mcnemar)
  const { b = 0, c = 0, p = null } = finding?.mcnemar ?? {}
  const both = finding ? Math.max(0, Math.round((finding.meanBaseline ?? 0) * finding.pairs) - b) : 0
  return (
    <>
      <p class="finding">
        <span class={`verdict ${verdict}`}>
          <Explained word={verdict}>{verdictWords[verdict]}</Explained>
        </span>{" "}
        <Said text={comparison.sentence} limit={800} />
      </p>
      {identity.warning && (
        <p class="doubt">
          <Foreign text={identity.warning} limit={400} />
        </p>
      )}
      <PartHeading title="Differences, candidate minus baseline" />
      <ForestPlot findings={comparison.metrics} metrics={report.metrics} />
      <p class="legend">
        Lines: {levelText(report.run.alpha)} intervals. Upright mark: the one-sided bound that decides, which holds for
        any distribution and may lie outside of the interval. Grey band: the margin within which a difference still
        counts as "not worse".
      </p>
      <DifferenceTable comparison={comparison} />
      <div class="columns">
        {finding?.mcnemar && (
          <Flips
            baseline={baseline}
            candidate={candidate}
            both={both}
            lost={b}
            won={c}
            neither={Math.max(0, finding.pairs - both - b - c)}
            note={`McNemar's exact test: p ${p === null ? "unknown" : pText(p)}. ${counted(identity.identical, "answer")} of ${count(identity.compared)} identical word for word.`}
          />
        )}
        <Densities names={[baseline, candidate]} />
      </div>
      <PerformanceTable comparison={comparison} />
    </>
  )
}

/** `= 0.016`, `< 0.001`. */
function pText(p: number): string {
  const text = pNumber(p)
  return text.startsWith("<") ? text : `= ${text}`
}
