import type { AnyMetric } from "../core/metric/metric.ts"

/** What a metric's figure is called in a sentence. */
export function metricTitle({ name, title }: Pick<AnyMetric, "name" | "title">): string {
  return title ?? spacedName(name)
}

/** A metric's name as people read it: `exact_match` and `exactMatch` are "exact match", `recallAt3` is "recall at 3". */
export function spacedName(name: string): string {
  return name
    .replace(/_/g, " ")
    .replace(/([a-z])At(\d+)$/, "$1 at $2")
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[], word = "and"): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`
}

/** With a capital: how a sentence begins. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A name of the code in small letters, with a sign between its words: `camelTo("-", "smallestGain")` is "smallest-gain". */
export function camelTo(sign: string, name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `${sign}${letter.toLowerCase()}`)
}
