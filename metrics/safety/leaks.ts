import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { findLeaks, type Leak } from "../../src/text/personal-data/leaks.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link leaks}. @public */
export interface LeaksOptions {
  readonly name?: string
  /** Default: all kinds. */
  readonly kinds?: readonly Leak["kind"][]
  /** ISO 3166 codes of the countries whose national phone numbers count; international ones always do. Default `["US"]`. */
  readonly countries?: readonly string[]
}

/**
 * Leaks: the share of answers with personal data or a secret in them ({@link findLeaks}). What is already in the input also counts.
 * Misses names, addresses, keys of unknown shape, and national phone numbers of countries that are not named; an invented number with
 * a valid checksum counts as a card. Range 0..1, lower is better; details count by kind. Linear in the text. Unscored: never.
 *
 * Source: evalkit's own definition; the numbers of cards and accounts are checked by Luhn's and ISO 7064's rules.
 *
 * @example
 * // output "Write to ada@example.org"
 * leaks() // 1
 * @public
 */
export function leaks(options: LeaksOptions = {}): Metric<{ readonly leaks: readonly Leak[] }> {
  checkOptions("leaks", options)
  const { name = "leaks", kinds, countries = ["US"] } = options
  return rowMetric({
    name,
    signature: signature("leaks", {
      kinds: kinds?.join(",") ?? "all",
      phones: `libphonenumber-1.13:${countries.join(",")}`,
    }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    async measure(_sample, { text }) {
      return { leaks: (await findLeaks(text, countries)).filter(({ kind }) => kinds?.includes(kind) ?? true) }
    },
    value: (row) => Number(row.leaks.length > 0),
    details(rows) {
      const counts = new Map<string, number>()
      for (const row of rows) for (const { kind } of row.leaks) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return { byKind: Object.fromEntries(counts) }
    },
  })
}
