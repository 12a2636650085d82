import type { RunReport } from "../../src/core/report/report.ts"
import { decidingComparison } from "../view-model/comparisons.ts"

/**
 * Doubts in the order in which a reader of the run's answer needs them: those about its candidate or about the run as a whole, then those
 * about its baseline, then those about other variants alone. Otherwise the order stays. Where nothing is compared, it stays as it is.
 */
export function nearestFirst(report: RunReport, names: readonly string[]): readonly string[] {
  if (names.length < 2) return names
  return names
    .map((doubt) => ({ doubt, far: distance(report, doubt) }))
    .sort((a, b) => a.far - b.far)
    .map(({ doubt }) => doubt)
}

/** Whether a doubt names other variants than the candidate of the run's answer: it does not speak against the answer. */
export function isAboutOthers(report: RunReport, doubt: string): boolean {
  return distance(report, doubt) > 0
}

/** 0: about the answer's candidate, its baseline alone or the whole run; 1: about its baseline and others; 2: about others alone. */
function distance(report: RunReport, text: string): number {
  const deciding = decidingComparison(report)
  if (deciding === null) return 0
  const { candidate, baseline } = deciding
  if (namesVariant(text, candidate)) return 0
  const isOther = report.variants.some(
    ({ name }) => name !== candidate && name !== baseline && namesVariant(text, name),
  )
  if (!isOther) return 0
  return namesVariant(text, baseline) ? 1 : 2
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
