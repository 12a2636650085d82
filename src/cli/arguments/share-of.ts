/**
 * The share that a percentage means; null for any other text.
 *
 * @example shareOf("5%") // 0.05
 */
export function shareOf(text: string): number | null {
  const [, percent] = /^([\d.]+)\s*%$/.exec(text) ?? []
  const share = Number((Number(percent) / 100).toPrecision(12))
  return Number.isNaN(share) ? null : share
}
