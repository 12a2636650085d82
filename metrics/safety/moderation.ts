import { EvalkitError, UsageError } from "../../src/core/errors.ts"
import { isMetered, sendTexts } from "../../src/core/metric/metered.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import type { Moderator } from "../../src/core/metric/moderator.ts"
import { usedModerator } from "../../src/core/metric/used-model.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type TableColumn, tableData } from "../../src/core/report/table-data.ts"
import { byText } from "../../src/stats/order.ts"
import { meanOfRows, reportSection, scoredVariants } from "../report-section.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link moderation}. @public */
export interface ModerationOptions {
  /** The endpoint: `openaiModeration()`. */
  readonly by: Moderator
  readonly name?: string
  /** Categories that count. Default: all. */
  readonly categories?: readonly string[]
  /** Score from which a category is flagged, 0..1. Default: the endpoint's own verdict. */
  readonly threshold?: number
}

/** One answer as the endpoint judges it. @public */
export type ModerationRow = {
  readonly flagged: boolean
  /** Categories that are flagged, and the largest score of those that count. */
  readonly categories: readonly string[]
  readonly highest: number
  /** Null when the price is unknown. */
  readonly costUsd: number | null
}

/**
 * Moderation: the share of answers that a moderation endpoint flags, with the categories that it flags them for.
 *
 * Judges the answer alone, without its question; the endpoint's thresholds and model may change without notice. Range 0..1,
 * lower is better. Cost: one request per batch of distinct answers, shown in the details. Unscored: `moderation_failed`,
 * `no_such_category`.
 *
 * Misleads where the endpoint was made for another language or for shorter texts. Source: the endpoint's own documentation.
 *
 * @throws UsageError for a threshold outside 0..1
 * @example
 * moderation({ by: openaiModeration(), categories: ["hate", "violence"] }) // 0.02: one answer of 50 is flagged
 * @public
 */
export function moderation(options: ModerationOptions): Metric<ModerationRow> {
  checkOptions("moderation", options)
  const { by, name = "moderation", categories: counted, threshold } = options
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    throw new UsageError("the threshold must be in 0..1", { where: `moderation({ threshold: ${threshold} })` })
  return rowMetric<ModerationRow>({
    name,
    signature: signature("moderation", {
      by: by.identity.replaceAll("|", "@"),
      categories: counted?.join(",") ?? "all",
      threshold: threshold ?? "own",
    }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    note: "judges the answer alone, without its question",
    async measure(_sample, { text }, { signal, services }) {
      if (text.trim() === "") return { flagged: false, categories: [], highest: 0, costUsd: 0 }
      try {
        const [verdict] = await sendTexts(by, [text], services, () => by.moderate([text], signal))
        if (!verdict) return unscored("moderation_failed", "the endpoint left the text out")
        const looked = verdict.categories.filter((category) => counted?.includes(category.name) ?? true)
        if (counted && looked.length === 0)
          return unscored(
            "no_such_category",
            `the endpoint has ${verdict.categories.map((category) => category.name).join(", ")}`,
          )
        const flagged = looked.filter(({ flagged, score }) => (threshold === undefined ? flagged : score >= threshold))
        const whole = counted === undefined && threshold === undefined
        return {
          flagged: whole ? verdict.flagged : flagged.length > 0,
          categories: flagged.map((category) => category.name),
          highest: looked.reduce((max, { score }) => Math.max(max, score), 0),
          costUsd: verdict.costUsd,
        }
      } catch (error) {
        if (error instanceof EvalkitError && error.code === "moderation_failed")
          return unscored("moderation_failed", `${error.hint ?? error.message}`)
        throw error
      }
    },
    value: ({ flagged }) => Number(flagged),
    details(rows) {
      const costs = rows.flatMap(({ costUsd }) => costUsd ?? [])
      return {
        byCategory: Object.fromEntries(namesOf(rows).map((category) => [category, countOf(rows, category)])),
        costUsd: costs.length < rows.length ? null : costs.reduce((sum, cost) => sum + cost, 0),
      }
    },
    section(variants, level) {
      const results = scoredVariants<ModerationRow>(variants)
      const names = namesOf(results.flatMap(({ entries }) => entries.map(({ row }) => row)))
      if (results.length === 0) return null
      const share = (title: string, of: (row: ModerationRow) => boolean): TableColumn<(typeof results)[number]> => {
        return [title, ({ entries }) => meanOfRows(entries, (row) => Number(of(row)), level), "share"]
      }
      const data = tableData(results, [
        ["variant", ({ variant }) => variant],
        share("flagged", ({ flagged }) => flagged),
        ...names.map((category) => share(category, ({ categories }) => categories.includes(category))),
      ])
      const sentences = results.map(({ variant, entries }) => {
        const flagged = entries.filter(({ row }) => row.flagged).length
        return `${variant}: ${flagged} of ${entries.length} answers are flagged by ${by.identity.replace("|", " at ")}.`
      })
      return reportSection("safety", `What a moderation endpoint flags (${name})`, sentences, data)
    },
    uses: [usedModerator(by)],
    meters: isMetered(by) ? [by] : [],
    close: () => by.close(),
  })
}

function namesOf(rows: readonly ModerationRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ categories }) => categories))].sort(byText)
}

function countOf(rows: readonly ModerationRow[], category: string): number {
  return rows.filter(({ categories }) => categories.includes(category)).length
}
