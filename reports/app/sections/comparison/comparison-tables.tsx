import type { Comparison, MetricComparison } from "../../../../src/core/report/comparison.ts"
import type { Figure } from "../../../../src/core/report/figure.ts"
import { metricDifference, metricTitle, metricUnit, readableName } from "../../../../src/words/metric.ts"
import { listed } from "../../../../src/words/names.ts"
import { count } from "../../../../src/words/number.ts"
import { pNumber } from "../../../../src/words/p-value.ts"
import { levelText } from "../../../../src/words/percent.ts"
import { plainText } from "../../../../src/words/text.ts"
import { decidingMetric } from "../../../view-model/comparisons.ts"
import { thousandfold } from "../../../view-model/variant-columns.ts"
import { decidingBound } from "../../../wording/deciding-bound.ts"
import { latencies } from "../../../wording/latencies.ts"
import { verdictWords } from "../../../wording/verdict-words.ts"
import { InlineMark } from "../../charts/mark.tsx"
import { usePage } from "../../context.tsx"
import { DataTable } from "../../data-table.tsx"
import { FigureCell, Foreign } from "../../parts.tsx"
import { Explained, Heading } from "../../words.tsx"

/** All comparisons at a glance: verdict, what the deciding metric lost or won, flips. */
export function ComparisonMatrix(props: {
  /** Null while two others are shown. */
  chosen: Comparison | null
  onChoose: (comparison: Comparison) => void
}) {
  const { chosen, onChoose } = props
  const { report } = usePage()
  return (
    <DataTable
      label="All comparisons"
      headings={[
        "candidate",
        { words: "verdict" },
        "difference",
        "right to wrong",
        "wrong to right",
        "samples needed to decide",
      ]}
    >
      {report.comparisons.map((comparison) => {
        const finding = decidingMetric(comparison)
        const metric = report.metrics.find((candidate) => candidate.name === finding?.metric)
        return (
          <tr key={comparison.candidate} class={comparison === chosen ? "chosen" : ""}>
            <th scope="row">
              <InlineMark variant={comparison.candidate} />{" "}
              <button type="button" class="plain" onClick={() => onChoose(comparison)}>
                <Foreign text={comparison.candidate} limit={60} />
              </button>
            </th>
            <td class="texts">
              <span class={`verdict ${comparison.verdict}`}>
                <Explained word={comparison.verdict}>{verdictWords[comparison.verdict]}</Explained>
              </span>
            </td>
            <td>
              {metric && finding?.difference != null ? (
                metricDifference(finding.difference, metric)
              ) : (
                <span class="unknown">unknown</span>
              )}
            </td>
            <td>{finding?.mcnemar ? count(finding.mcnemar.b) : <span class="unknown">does not apply</span>}</td>
            <td>{finding?.mcnemar ? count(finding.mcnemar.c) : <span class="unknown">does not apply</span>}</td>
            <td>{neededText(comparison)}</td>
          </tr>
        )
      })}
    </DataTable>
  )
}

/** How many samples an open question needs; nothing is needed where the verdict stands. */
function neededText(comparison: Comparison): string {
  if (comparison.verdict === "swap" || comparison.verdict === "keep") return "settled"
  const { neededSamples } = comparison
  return neededSamples == null ? "unknown" : count(neededSamples)
}

/** The numbers behind the forest plot, metric by metric. */
export function DifferenceTable({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  return (
    <details>
      <summary>Numbers behind the differences</summary>
      <DataTable
        label="Differences per metric"
        headings={[
          "metric",
          "difference",
          `${levelText(report.run.alpha)} interval`,
          "pairs",
          "p (adjusted)",
          { words: "verdict" },
          "bound that decides",
          "smallest detectable",
          "missing",
        ]}
      >
        {comparison.metrics.map((finding) => {
          const metric = report.metrics.find((entry) => entry.name === finding.metric) ?? {
            name: finding.metric,
            unit: null,
            range: [null, null] as const,
          }
          const text = (value: number | null) => (value === null ? "unknown" : metricDifference(value, metric))
          return (
            <tr key={finding.metric}>
              <th scope="row" title={plainText(finding.method)}>
                <Explained word={finding.metric}>{metricTitle(metric)}</Explained>
              </th>
              <td>{text(finding.difference)}</td>
              <td>{`${text(finding.low)} to ${text(finding.high)}`}</td>
              <td>{count(finding.pairs)}</td>
              <td>{pText(finding)}</td>
              <td class="texts">
                <Heading title={finding.verdict.replace(/_/g, " ")} place="metric" />
              </td>
              <td>{text(decidingBound(finding))}</td>
              <td>{text(finding.minimumDetectableEffect).replace("+", "")}</td>
              <td>{count(finding.missing.onlyBaseline + finding.missing.onlyCandidate)}</td>
            </tr>
          )
        })}
      </DataTable>
      <p class="note">{plainText(comparison.metrics[0]?.method ?? "")}</p>
    </details>
  )
}

function pText({ p, pAdjusted }: MetricComparison): string {
  if (p === null) return "unknown"
  return `${pNumber(p)}${pAdjusted === null ? "" : ` (${pNumber(pAdjusted)})`}`
}

/** What a paired figure of speed or cost is called, and its unit. */
function titleOf(name: string): readonly [title: string, unit: string] {
  if (Object.hasOwn(latencies, name)) return [latencies[name as keyof typeof latencies].name, "ms"]
  if (name === "costUsd") return ["cost of 1,000 requests", "usd"]
  return [readableName(name), metricUnit({ unit: null, range: [null, null] })]
}

/** The change of what hardware costs that is paid by the hour, in per cent: no request has a price of its own then. Null where it is not known. */
function hourlyCost({ changes = [] }: Comparison): Figure | null {
  const change = changes.find(({ figure }) => figure === "costUsd")
  if (!change) return null
  const percent = (share: number | null) => (share === null ? null : 100 * share)
  const { share, low, high, n, method } = change
  return { status: "known", value: 100 * share, low: percent(low), high: percent(high), n, method }
}

/** Paired differences of speed and cost. */
export function PerformanceTable({ comparison }: { comparison: Comparison }) {
  const rows = Object.entries(comparison.performance)
  const [first] = rows
  if (!first) return null
  if (rows.every(([, { status }]) => status === "unknown") && !hourlyCost(comparison))
    return (
      <p class="note">
        Paired by sample, unknown: {listed(rows.map(([name]) => titleOf(name)[0]))}
        {first[1].status === "unknown" ? `: ${plainText(first[1].reason)}` : ""}.
      </p>
    )
  return (
    <DataTable label="Paired differences of speed and cost" headings={["paired by sample", "mean difference"]}>
      {rows.map(([name, figure]) => {
        const byHour = name === "costUsd" && figure.status === "unknown" ? hourlyCost(comparison) : null
        const [title, unit] = byHour ? ["cost", "%"] : titleOf(name)
        return (
          <tr key={name}>
            <th scope="row">
              <Heading title={title} />
            </th>
            <td>
              <FigureCell
                figure={byHour ?? (name === "costUsd" ? thousandfold(figure) : figure)}
                unit={unit}
                difference
              />
            </td>
          </tr>
        )
      })}
    </DataTable>
  )
}
