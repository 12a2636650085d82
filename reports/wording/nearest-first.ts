import type { RunReport } from "../../src/core/report/report.ts"
import { tellingComparison } from "./telling.ts"

/**
 * Doubts in the order in which a reader of the run's answer needs them: those about its candidate or about the run as a whole, then those
 * about its baseline, then those about other variants alone. Otherwise the order stays. Where nothing is compared, it stays as it is.
 */
export function nearestFirst(report: RunReport, found: readonly string[]): readonly string[] {
  const telling = tellingComparison(report)
  if (telling === null || found.length < 2) return found
  const { candidate, baseline } = telling
  const others = report.variants.map(({ name }) => name).filter((name) => name !== candidate && name !== baseline)
  const distance = (text: string): number => {
    if (namesVariant(text, candidate)) return 0
    if (namesVariant(text, baseline)) return others.some((name) => namesVariant(text, name)) ? 1 : 0
    return others.some((name) => namesVariant(text, name)) ? 2 : 0
  }
  return found
    .map((doubt) => ({ doubt, far: distance(doubt) }))
    .sort((a, b) => a.far - b.far)
    .map(({ doubt }) => doubt)
}

/** Whether a text names a variant as a word of its own: `m-q4` is not named by `m-q4_0`. */
function namesVariant(text: string, name: string): boolean {
  if (name === "") return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isOfName(text[at - 1]) && !isOfName(text[at + name.length], text[at + name.length + 1])) return true
  return false
}

/** Whether a character would belong to a longer name; a full stop or colon does where a name goes on behind it. */
function isOfName(character: string | undefined, next?: string): boolean {
  if (character === undefined) return false
  if (/[\p{L}\p{N}_/@-]/u.test(character)) return true
  return /[.:]/.test(character) && next !== undefined && /[\p{L}\p{N}]/u.test(next)
}
