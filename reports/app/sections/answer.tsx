import type { Change } from "../../../src/core/report/change.ts"
import type { Comparison, MetricComparison } from "../../../src/core/report/comparison.ts"
import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { changeWords, tailWords } from "../../../src/wording/verdict/change.ts"
import { metricDifference, metricTitle } from "../../../src/words/metric.ts"
import { amount, count, counted, withSign } from "../../../src/words/number.ts"
import { quantity } from "../../../src/words/quantity.ts"
import { decidingComparison, decidingMetric } from "../../view-model/comparisons.ts"
import { doubts } from "../../wording/doubts.ts"
import { planKept } from "../../wording/frozen-plan.ts"
import { isAboutOthers } from "../../wording/nearest-first.ts"
import { verdictWords } from "../../wording/verdict-words.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said } from "../parts.tsx"
import { Explained } from "../words.tsx"
import { CriticalSamples, Limits, Shifts } from "./limits.tsx"
import { Tasks } from "./tasks.tsx"

/** The answer: verdict, sentence, three numbers with arrows, what it is based on, one line of caution. */
export function Answer() {
  const { report } = usePage()
  const { decision } = report
  const comparison = decidingComparison(report)
  return (
    <section id="answer" class="answer" aria-labelledby="answer-title">
      <p class="eyebrow">
        <Foreign text={report.run.name} limit={80} />
        {report.run.status !== "finished" && <strong class="status"> {report.run.status}</strong>}
      </p>
      {decision ? (
        <h1 id="answer-title">
          <span class={`verdict ${decision.verdict}`}>
            <Explained word={decision.verdict}>{verdictWords[decision.verdict]}</Explained>
          </span>{" "}
          <Said text={decision.answer} limit={500} />
        </h1>
      ) : (
        <h1 id="answer-title">{`${counted(report.variants.length, "variant")}, nothing to compare`}</h1>
      )}
      <Doubt />
      {decision?.evidence && (
        <p class="because">
          <Said text={decision.evidence} limit={1200} />
        </p>
      )}
      <Shifts />
      <CriticalSamples />
      <Limits of={decision?.about ?? null} />
      {comparison && <Numbers comparison={comparison} />}
      <p class="evidence">{[evidence(report), planKept(report)].join(" ").trim()}</p>
      <Tasks />
    </section>
  )
}

function Numbers({ comparison }: { comparison: Comparison }) {
  const { report } = usePage()
  const from = report.variants.find((variant) => variant.name === comparison.baseline)
  const to = report.variants.find((variant) => variant.name === comparison.candidate)
  if (!from || !to) return null
  const finding = decidingMetric(comparison)
  const metric = report.metrics.find((entry) => entry.name === finding?.metric)
  const quality =
    finding?.difference != null && metric
      ? {
          text: metricDifference(finding.difference, metric),
          // The difference itself stands above.
          note: finding.evidence.replace(/^[^,(]*, /, ""),
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
        <NumberCard title={metric ? metricTitle(metric) : "quality"} value={quality} />
        <NumberCard
          title="time (end to end)"
          value={changeCard(
            comparison,
            "e2eMs",
            both(from, to, ({ speed }) => speed.e2eMs.p50),
            "ms",
            1,
          )}
        />
        <NumberCard
          title="cost of 1,000 requests"
          value={changeCard(
            comparison,
            "costUsd",
            both(from, to, ({ cost }) => cost.perThousandUsd),
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
      <dt>
        <Explained word={title}>{title}</Explained>
      </dt>
      <dd>
        {value === null ? (
          <span class="unknown">unknown</span>
        ) : (
          <>
            <span class={`big ${value.good > 0 ? "good" : value.good < 0 ? "bad" : ""}`}>
              <span aria-hidden="true">{arrow} </span>
              {value.text}
            </span>
            <small>
              <Said text={value.note} />
            </small>
          </>
        )}
      </dd>
    </div>
  )
}

/** A change of cost or time as the decision found it: an arrow only where it is proven. */
function changeCard(
  { changes = [] }: Comparison,
  figure: Change["figure"],
  [before, after]: readonly [number | null, number | null],
  unit: string,
  direction: 1 | -1,
): Card | null {
  const change = changes.find((entry) => entry.figure === figure)
  if (!change) return null
  const moved = change.isProven ? Math.sign(change.share) : 0
  const levels =
    before === null || after === null ? "" : `${quantity(after, unit)} instead of ${quantity(before, unit)}; `
  const range =
    change.low === null || change.high === null
      ? "not tested: too few turns or pairs"
      : `between ${percentChange(change.low)} and ${percentChange(change.high)}`
  return {
    text: change.isProven ? changeWords({ figure, share: change.share }) : "no proven change",
    note: `${levels}${range}${withinError(change)}${change.tail ? `; ${tailWords({ figure, tail: change.tail })}` : ""}`,
    good: -moved,
    up: moved * direction,
  }
}

/** Why a change whose interval leaves 0 out is no proven one. */
function withinError({ isProven, timingError }: Change): string {
  if (isProven || timingError === undefined) return ""
  return timingError === "within"
    ? "; within evalkit\u2019s own timing error"
    : "; evalkit\u2019s own timing error was not measured"
}

/** A figure of both, where it is known. */
function both(from: VariantReport, to: VariantReport, figure: (variant: VariantReport) => Figure) {
  return [figureValue(figure(from)), figureValue(figure(to))] as const
}

/** A share of change with its sign, as the sentence says it: `−12.3 %`. */
function percentChange(share: number): string {
  return `${withSign(amount(share * 100))} %`
}

/** The sign of a difference whose interval leaves zero out; 0 when it does not. */
function evidentSign({ low, high }: MetricComparison): number {
  if (low === null || high === null) return 0
  return low > 0 ? 1 : high < 0 ? -1 : 0
}

function evidence({ run, dataset, variants }: RunReport): string {
  const answers = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const repeats = run.repeats > 1 ? `, each asked ${count(run.repeats)} times` : ""
  const origin = dataset.source === "inline" ? "that stand in the config" : `of ${dataset.name}`
  return `Based on ${counted(dataset.samples, "sample")} ${origin}${repeats}, ${counted(answers, "answer")} of ${counted(variants.length, "variant")}, ${run.startedAt.slice(0, 10)}.`
}

/** One line of caution, the most serious first; nothing when there is none. What is about other candidates alone does not stand above the answer. */
function Doubt() {
  const { report } = usePage()
  const all = doubts(report)
  const [first, ...rest] = all.filter((sentence) => !isAboutOthers(report, sentence))
  const others = all.length - rest.length - 1
  if (first === undefined)
    return all.length === 0 ? null : (
      <p class="note">
        <Leading to="trust" words={`${counted(all.length, "doubt")} about other variants`} />
      </p>
    )
  const more = [
    ...(rest.length > 0 ? [`${count(rest.length)} more`] : []),
    ...(others > 0 ? [`${count(others)} about other variants`] : []),
  ]
  return (
    <p class="doubt">
      <strong>Doubt: </strong>
      <Said text={first} limit={400} />
      {more.length > 0 && <Leading to="method" words={` and ${more.join(" and ")}`} />}
    </p>
  )
}

/** A link to where the details stand; words alone where the page has none. */
function Leading({ to, words }: { to: string; words: string }) {
  const { facts } = usePage()
  return facts.audience === "boss" ? words : <a href={`#${to}`}>{words}</a>
}
