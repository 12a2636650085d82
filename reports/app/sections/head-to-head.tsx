import type { Comparison } from "../../../src/core/comparison.ts"
import { count, plural, significant } from "../../format/number.ts"
import { plainText } from "../../format/text.ts"
import { verdictMeanings, verdictWords } from "../../verdict-words.ts"
import { densityOfPercentiles } from "../charts/density.ts"
import { ForestPlot } from "../charts/forest-plot.tsx"
import { LinesChart } from "../charts/lines-chart.tsx"
import { usePage } from "../context.tsx"
import { Choice, Foreign, Section } from "../parts.tsx"
import { setHash, useHashState } from "../state.ts"
import { ComparisonMatrix, DifferenceTable, PerformanceTable } from "./comparison-tables.tsx"

/** Two variants face to face: differences, flips, latency densities, cost, and the way to the samples that flipped. */
export function HeadToHead() {
  const { report } = usePage()
  const { comparisons } = report
  const preferred = Math.max(
    0,
    comparisons.findIndex((one) => one.candidate === report.decision?.choice),
  )
  const [chosen, setChosen] = useHashState("pair", String(preferred))
  const comparison = comparisons[Number(chosen)] ?? comparisons[0]
  if (!comparison) return null
  const options = comparisons.map((one, index) => ({
    value: String(index),
    title: plainText(`${one.candidate} for ${one.baseline}`, 80),
  }))
  return (
    <Section id="pair" title="Head to head">
      <div class="controls">
        <Choice
          label="compare"
          value={String(comparisons.indexOf(comparison))}
          options={options}
          onChange={setChosen}
        />
      </div>
      {comparisons.length > 1 && (
        <ComparisonMatrix chosen={comparison} onChoose={(index) => setChosen(String(index))} />
      )}
      <p class="finding">
        <span class={`verdict ${comparison.verdict}`} title={verdictMeanings[comparison.verdict]}>
          {verdictWords[comparison.verdict]}
        </span>{" "}
        <Foreign text={comparison.sentence} limit={800} />
      </p>
      {comparison.identity.warning && (
        <p class="doubt">
          <Foreign text={comparison.identity.warning} limit={400} />
        </p>
      )}
      <h3>Differences, candidate minus baseline</h3>
      <ForestPlot findings={comparison.metrics} metrics={report.metrics} />
      <p class="legend">
        Lines: 95 % intervals. Grey band: the margin within which a difference still counts as "not worse".
      </p>
      <DifferenceTable comparison={comparison} />
      <div class="columns">
        <Flips comparison={comparison} />
        <Densities comparison={comparison} />
      </div>
      <PerformanceTable comparison={comparison} />
    </Section>
  )
}

/** Right and wrong of both, two by two, where the primary metric is right or wrong. */
function Flips({ comparison }: { comparison: Comparison }) {
  const finding = comparison.metrics.find((one) => one.primary && one.mcnemar)
  if (!finding?.mcnemar || finding.meanBaseline === null) return null
  const { b, c } = finding.mcnemar
  const rightBoth = Math.max(0, Math.round(finding.meanBaseline * finding.pairs) - b)
  const wrongBoth = Math.max(0, finding.pairs - rightBoth - b - c)
  return (
    <div>
      <h3>Flips</h3>
      <table class="flips">
        <thead>
          <tr>
            <td />
            <th scope="col">candidate right</th>
            <th scope="col">candidate wrong</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">baseline right</th>
            <td>{count(rightBoth)}</td>
            <td class="bad">
              <b>{count(b)}</b> lost
            </td>
          </tr>
          <tr>
            <th scope="row">baseline wrong</th>
            <td class="good">
              <b>{count(c)}</b> won
            </td>
            <td>{count(wrongBoth)}</td>
          </tr>
        </tbody>
      </table>
      <p class="note">{`McNemar's exact test: p = ${significant(finding.mcnemar.p)}. ${plural(comparison.identity.identical, "answer")} of ${count(comparison.identity.compared)} identical word for word.`}</p>
      <p>
        <button type="button" class="plain" onClick={() => showFlips(comparison)}>
          read the samples that flipped
        </button>
      </p>
    </div>
  )
}

function showFlips({ candidate, baseline }: Comparison): void {
  setHash({ chip: "flipped", of: candidate, left: baseline, right: candidate })
  document.getElementById("samples")?.scrollIntoView()
}

function Densities({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  const lines = [comparison.baseline, comparison.candidate].flatMap((name) => {
    const variant = report.variants.find((one) => one.name === name)
    const points = variant ? densityOfPercentiles(variant.speed.e2eMs.percentiles) : []
    return points.length > 0 ? [{ variant: name, points }] : []
  })
  if (lines.length === 0) return null
  return (
    <div>
      <h3>Where their latencies lie</h3>
      <LinesChart
        name="density"
        label={`Density of end-to-end latency of ${plainText(comparison.baseline)} and ${plainText(comparison.candidate)}`}
        lines={lines}
        x={{ title: "end to end", unit: "ms" }}
        y={{ title: "density", unit: null, zero: true }}
        height={240}
      />
    </div>
  )
}
