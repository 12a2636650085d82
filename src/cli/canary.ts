import { marginFor } from "../analyse/compare/margin.ts"
import { type CanaryStep, canarySteps } from "../analyse/decide/canary.ts"
import type { CompareSource } from "../analyse/source/file-source.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { Figure } from "../core/report/figure.ts"
import { mean } from "../stats/mean.ts"
import { defaultPower } from "../stats/tests/power.ts"
import { levelOf, sized, wordingOf } from "../words/difference.ts"
import { metricTitle } from "../words/names.ts"
import { count, significant } from "../words/number.ts"
import { percent } from "../words/percent.ts"
import { plainText } from "../words/text.ts"
import { type Screen, screenTable } from "./arguments/screen-table.ts"

/** What a canary of a comparison's candidate would be at several shares of the traffic. */
export interface Canary {
  readonly metric: string
  readonly margin: number
  readonly steps: readonly CanaryStep[]
  readonly text: string
  readonly json: JsonObject
}

/** `5%`, `0.05` or several of them, joined by commas, as shares; `null` for no option. */
export function canaryShares(value: unknown): readonly number[] | null {
  if (value === undefined) return null
  return String(value === true || value === "" ? "1%,5%,10%,25%" : value)
    .split(",")
    .map((part) => shareOption(part, "--canary"))
}

/** `5%` or `0.05` as a share. @throws UsageError for what is none above 0; all of it only where `isAllAllowed` */
export function shareOption(value: string, flag: string, isAllAllowed = false): number {
  const text = value.trim()
  const share = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text !== "" && share > 0 && (share < 1 || (isAllAllowed && share === 1))) return share
  throw new UsageError(`${flag} must be a share between 0 and 100 %`, {
    where: text.slice(0, 40),
    hint: "write it as 5% or 0.05",
  })
}

/** One share; undefined for no option. */
export function oneCanaryShare(value: unknown): number | undefined {
  const shares = value === undefined ? [] : (canaryShares(value) ?? [])
  if (shares.length > 1)
    throw new UsageError("--canary of a run is one share", {
      where: String(value).slice(0, 40),
      hint: "write it as 5%",
    })
  return shares[0]
}

/**
 * The canary of the first metric that decides.
 *
 * @throws UsageError where no metric that decides is a mean over requests
 */
export function canaryOf(
  source: Pick<
    CompareSource,
    "baseline" | "candidate" | "metrics" | "margin" | "marginKind" | "alpha" | "missing" | "absentRows"
  > & {
    readonly primary: readonly string[]
  },
  shares: readonly number[],
  requestsPerDay: number | null,
  screen: Screen,
): Canary {
  const metric = source.metrics.find(({ name }) => name === source.primary[0])
  if (metric?.aggregation.kind !== "mean")
    throw new UsageError("--canary needs a metric that is a mean over requests", {
      where: source.primary[0] ?? "no metric decides",
      hint: "name another with --primary",
    })
  const values = (source.baseline.rows.get(metric.name) ?? []).flatMap(({ value }) => value ?? [])
  const margin = marginFor(metric, source, values.length === 0 ? null : mean(values))
  const steps = canarySteps({ ...source, metric, margin, shares, requestsPerDay })
  const named = plainText(metricTitle(metric), 30)
  const quality = (figure: Figure) => (figure.status === "known" ? levelOf(figure.value, metric) : "unknown")
  const text = `\n${screenTable(
    [
      "canary",
      `${named}, all`,
      "TTFT p50/p95 ms",
      "E2E p50/p95 ms",
      "$ per 1,000",
      "requests to find the loss",
      "in shadow",
      "days",
    ],
    steps.map(({ share, quality: mixed, ttftMs, e2eMs, costUsd, requestsToDetect, requestsInShadow, days }) => [
      percent(share),
      quality(mixed),
      `${cell(ttftMs.p50)}/${cell(ttftMs.p95)}`,
      `${cell(e2eMs.p50)}/${cell(e2eMs.p95)}`,
      cell(costUsd, 1000),
      whole(requestsToDetect),
      whole(requestsInShadow),
      cell(days),
    ]),
    screen,
  )}\n A loss of ${sized(margin, wordingOf(metric))} in ${named} is found with ${percent(defaultPower)} power at an error rate of ${percent(source.alpha)}: requests in all, while each has one answer; in shadow, where the candidate answers its share beside the baseline. Requests of later days must be like these, and independent of each other.\n${unknownWords(steps)}`
  return { metric: metric.name, margin, steps, text, json: canaryJson(metric.name, margin, steps) }
}

/** ` days unknown: say how many requests a day come`: a line a reason. */
function unknownWords(steps: readonly CanaryStep[]): string {
  const byReason = new Map<string, Set<string>>()
  for (const step of steps)
    for (const [what, figure] of [
      ["quality", step.quality],
      ["TTFT", step.ttftMs.p50],
      ["E2E", step.e2eMs.p50],
      ["cost", step.costUsd],
      ["requests to find the loss", step.requestsToDetect],
      ["in shadow", step.requestsInShadow],
      ["days", step.days],
    ] as const)
      if (figure.status === "unknown")
        byReason.set(figure.reason, (byReason.get(figure.reason) ?? new Set<string>()).add(what))
  return [...byReason].map(([reason, what]) => ` ${[...what].join(", ")} unknown: ${plainText(reason, 300)}\n`).join("")
}

function canaryJson(metric: string, margin: number, steps: readonly CanaryStep[]): JsonObject {
  return {
    metric,
    margin,
    power: defaultPower,
    steps: steps.map(({ share, quality, ttftMs, e2eMs, costUsd, requestsToDetect, requestsInShadow, days }) => ({
      share,
      quality: { ...quality },
      ttft_ms: { p50: { ...ttftMs.p50 }, p95: { ...ttftMs.p95 } },
      e2e_ms: { p50: { ...e2eMs.p50 }, p95: { ...e2eMs.p95 } },
      cost_usd: { ...costUsd },
      requests_to_detect: { ...requestsToDetect },
      requests_in_shadow: { ...requestsInShadow },
      days: { ...days },
    })),
  }
}

function cell(figure: Figure, scale = 1): string {
  return figure.status === "known" ? significant(figure.value * scale) : "unknown"
}

function whole(figure: Figure): string {
  return figure.status === "known" ? count(figure.value) : "unknown"
}
