import type { Comparison, MetricComparison } from "../../../src/core/comparison.ts"
import { metricDifference, metricUnit, readableName } from "../../format/metric.ts"
import { count, plural, significant } from "../../format/number.ts"
import { plainText } from "../../format/text.ts"
import { verdictMeanings, verdictWords } from "../../verdict-words.ts"
import { densityOfPercentiles } from "../charts/density.ts"
import { ForestPlot } from "../charts/forest-plot.tsx"
import { LinesChart } from "../charts/lines-chart.tsx"
import { usePage } from "../context.tsx"
import { Choice, FigureCell, Foreign, Section, TableFrame } from "../parts.tsx"
import { setHash, useHashState } from "../state.ts"

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
      <Performance comparison={comparison} />
    </Section>
  )
}

function DifferenceTable({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  return (
    <details>
      <summary>Numbers behind the differences</summary>
      <TableFrame label="Differences per metric">
        <table>
          <thead>
            <tr>
              {[
                "metric",
                "difference",
                "95 % interval",
                "pairs",
                "p (adjusted)",
                "verdict",
                "smallest detectable",
                "missing",
              ].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparison.metrics.map((finding) => {
              const metric = report.metrics.find((one) => one.name === finding.metric) ?? {
                unit: null,
                range: [null, null] as const,
              }
              const text = (value: number | null) => (value === null ? "unknown" : metricDifference(value, metric))
              return (
                <tr key={finding.metric}>
                  <th scope="row" title={plainText(finding.method)}>
                    {readableName(finding.metric)}
                  </th>
                  <td>{text(finding.difference)}</td>
                  <td>{`${text(finding.low)} to ${text(finding.high)}`}</td>
                  <td>{count(finding.pairs)}</td>
                  <td>{pText(finding)}</td>
                  <td>{finding.verdict.replace(/_/g, " ")}</td>
                  <td>{text(finding.minimumDetectableEffect).replace("+", "")}</td>
                  <td>{count(finding.missing.onlyBaseline + finding.missing.onlyCandidate)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </TableFrame>
      <p class="note">{plainText(comparison.metrics[0]?.method ?? "")}</p>
    </details>
  )
}

function pText({ p, pAdjusted }: MetricComparison): string {
  if (p === null) return "unknown"
  return `${significant(p)}${pAdjusted === null ? "" : ` (${significant(pAdjusted)})`}`
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

const figureTitles: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["ttftMs", ["time to first token", "ms"]],
  ["e2eMs", ["end to end", "ms"]],
  ["tpotMs", ["time per output token", "ms"]],
  ["costUsd", ["cost per request", "usd"]],
])

function Performance({ comparison }: { comparison: Comparison }) {
  const rows = [...Object.entries(comparison.performance), ...Object.entries(comparison.divergence)]
  if (rows.length === 0) return null
  return (
    <TableFrame label="Paired differences of speed and cost">
      <table>
        <thead>
          <tr>
            <th scope="col">paired by sample</th>
            <th scope="col">mean difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, figure]) => {
            const [title, unit] = figureTitles.get(name) ?? [
              readableName(name),
              metricUnit({ unit: null, range: [null, null] }),
            ]
            return (
              <tr key={name}>
                <th scope="row">{title}</th>
                <td>
                  <FigureCell figure={figure} unit={unit} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </TableFrame>
  )
}
