import type { Comparison, MetricComparison } from "../../../src/core/report/comparison.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { metricDifference, readableName } from "../../format/metric.ts"
import { count, plural } from "../../format/number.ts"
import { quantity } from "../../format/quantity.ts"
import { doubts } from "../../wording/doubts.ts"
import { decidingMetric } from "../../wording/finding.ts"
import { headline, tellingComparison } from "../../wording/headline.ts"
import { changeWords } from "../../wording/trade.ts"
import { verdictMeanings, verdictWords } from "../../wording/verdict-words.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"

/** The answer: verdict, sentence, three numbers with arrows, what it rests on, one line of doubt. */
export function Answer() {
  const { report } = usePage()
  const { decision } = report
  const comparison = tellingComparison(report)
  const told = headline(report)
  return (
    <section id="answer" class="answer" aria-labelledby="answer-title">
      <p class="eyebrow">
        <Foreign text={report.run.name} limit={80} />
        {report.run.status !== "finished" && <strong class="status"> {report.run.status}</strong>}
      </p>
      {decision ? (
        <h1 id="answer-title">
          <span class={`verdict ${decision.verdict}`} title={verdictMeanings[decision.verdict]}>
            {verdictWords[decision.verdict]}
          </span>{" "}
          <Foreign text={told?.answer ?? ""} limit={300} />
        </h1>
      ) : (
        <h1 id="answer-title">{`${plural(report.variants.length, "variant")}, nothing to compare`}</h1>
      )}
      {told?.because && (
        <p class="because">
          <Foreign text={told.because} limit={600} />
        </p>
      )}
      {comparison && <Numbers comparison={comparison} />}
      <p class="evidence">{evidence(report)}</p>
      <Doubt />
    </section>
  )
}

function Numbers({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  const from = report.variants.find((variant) => variant.name === comparison.baseline)
  const to = report.variants.find((variant) => variant.name === comparison.candidate)
  if (!from || !to) return null
  const finding = decidingMetric(comparison)
  const metric = report.metrics.find((one) => one.name === finding?.metric)
  const quality =
    finding?.difference != null && metric
      ? {
          text: metricDifference(finding.difference, metric),
          note:
            finding.low === null || finding.high === null
              ? "no interval"
              : `between ${metricDifference(finding.low, metric).replace(/ points$/, "")} and ${metricDifference(finding.high, metric)}`,
          good: evidentSign(finding) * (metric.direction === "higher" ? 1 : -1),
          up: evidentSign(finding),
        }
      : null
  return (
    <div class="numbers">
      <p class="pair">
        <InlineMark variant={to.name} /> <Foreign text={to.name} limit={60} /> instead of{" "}
        <InlineMark variant={from.name} /> <Foreign text={from.name} limit={60} />
      </p>
      <dl>
        <NumberCard title={metric ? readableName(metric.name) : "quality"} value={quality} />
        <NumberCard
          title="speed (end to end, median)"
          value={ratioCard(
            from,
            to,
            (one) => figureValue(one.speed.e2eMs.p50),
            ["faster", "slower", "as long"],
            "ms",
            -1,
          )}
        />
        <NumberCard
          title="cost of 1,000 requests"
          value={ratioCard(
            from,
            to,
            (one) => figureValue(one.cost.perThousandUsd),
            ["cheaper", "more expensive", "the cost"],
            "usd",
            1,
          )}
        />
      </dl>
    </div>
  )
}

interface Card {
  readonly text: string
  readonly note: string
  /** 1 good, −1 bad, 0 neither. */
  readonly good: number
  /** Where the arrow points. */
  readonly up: number
}

function NumberCard({ title, value }: { title: string; value: Card | null }) {
  const arrow = value === null || value.up === 0 ? "\u2192" : value.up > 0 ? "\u2197" : "\u2198"
  return (
    <div class="number">
      <dt>{title}</dt>
      <dd>
        {value === null ? (
          <span class="unknown">unknown</span>
        ) : (
          <>
            <span class={`big ${value.good > 0 ? "good" : value.good < 0 ? "bad" : ""}`}>
              <span aria-hidden="true">{arrow} </span>
              {value.text}
            </span>
            <small>{value.note}</small>
          </>
        )}
      </dd>
    </div>
  )
}

function ratioCard(
  from: VariantReport,
  to: VariantReport,
  read: (variant: VariantReport) => number | null,
  words: readonly [string, string, string],
  unit: string,
  direction: 1 | -1,
): Card | null {
  const before = read(from)
  const after = read(to)
  if (before === null || after === null || before <= 0) return null
  const text = changeWords(after / before, words) ?? "about the same"
  const change = text === "about the same" ? 0 : Math.sign(after - before)
  const note = `${quantity(after, unit)} instead of ${quantity(before, unit)}`
  return { text, note, good: -change, up: change * direction }
}

/** The sign of a difference whose interval leaves zero out; 0 when it does not. */
function evidentSign({ low, high }: MetricComparison): number {
  if (low === null || high === null) return 0
  return low > 0 ? 1 : high < 0 ? -1 : 0
}

function evidence({ run, dataset, variants }: RunReport): string {
  const answers = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const repeats = run.repeats > 1 ? `, each asked ${count(run.repeats)} times` : ""
  return `Based on ${plural(dataset.samples, "sample")} of ${dataset.name}${repeats}, ${count(answers)} answers of ${plural(variants.length, "variant")}, ${run.startedAt.slice(0, 10)}.`
}

/** One line of doubt, the gravest first; nothing when there is none. */
function Doubt() {
  const { report } = usePage()
  const [first, ...rest] = doubts(report)
  if (!first) return null
  return (
    <p class="doubt">
      <strong>Doubt: </strong>
      <Foreign text={first} limit={400} />
      {rest.length > 0 && <a href="#method">{` and ${count(rest.length)} more`}</a>}
    </p>
  )
}
