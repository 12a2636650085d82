import type { RunReport } from "../../../src/core/report/report.ts"
import { counted } from "../../../src/words/number.ts"

/**
 * A moment as people read it, in universal time.
 *
 * @example whenUtc("2026-11-24T18:37:47.697Z") // "2026-11-24 18:37:47 UTC"
 */
export function whenUtc(moment: string): string {
  const at = new Date(moment)
  return Number.isNaN(at.getTime()) ? moment : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`
}

/** By what each verdict was reached: method, n, clusters, turns, missing, and how alpha is shared. Verdicts alike stand together. */
export function verdictMethods({ comparisons }: RunReport): (readonly [name: string, text: string])[] {
  const items = comparisons.flatMap(({ baseline, candidate, method = [] }) =>
    method.length === 0 ? [] : [{ pair: `${candidate} for ${baseline}`, text: method.join("; ") }],
  )
  return alike(items, ({ text }) => text).map((same) => {
    const word = same.length === 1 ? "verdict" : "verdicts"
    return [`${word} on ${same.map(({ pair }) => pair).join(", ")}`, same[0]?.text ?? ""]
  })
}

/** What the run notes of its variants, each note once, with those that it is about. */
export function variantNotes({ variants }: RunReport): { readonly variants: string; readonly note: string }[] {
  const items = variants.flatMap(({ name, notes }) => notes.map((note) => ({ name, note })))
  return alike(items, ({ note }) => note).map((same) => {
    const names = new Set(same.map(({ name }) => name))
    const isOfAll = variants.length > 1 && names.size === variants.length
    return {
      variants: isOfAll ? `all ${counted(names.size, "variant")}` : [...names].join(", "),
      note: same[0]?.note ?? "",
    }
  })
}

/** Groups of what is items alike, in the order of their first. */
function alike<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return [...groups.values()]
}
