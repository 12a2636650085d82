import { join } from "node:path"
import { type RealPair, readPairs } from "./real-pairs.ts"
import type { Answer } from "./rules.ts"

/** What a rule said of some pairs. */
interface Count {
  swaps: number
  all: number
}

/** Largest losses that count as not worse, as shares. */
export const margins = [0.01, 0.02, 0.05]

/**
 * The pairs of `zeroeval/readings.jsonl` in the folder that EVALKIT_REFERENCE_DATA names.
 *
 * @param share of them, spread evenly
 * @throws if the variable is not set
 */
export function publishedPairs(share: number): readonly RealPair[] {
  const folder = process.env.EVALKIT_REFERENCE_DATA
  if (!folder) throw new Error("set EVALKIT_REFERENCE_DATA to the folder that holds zeroeval/readings.jsonl")
  const all = readPairs(join(folder, "zeroeval", "readings.jsonl"))
  return all.filter((_, i) => Math.floor(i * share) !== Math.floor((i - 1) * share))
}

/** Prints how often each rule grants a swap, by number of questions and margin. */
export function printPairs(
  pairs: readonly RealPair[],
  sizes: readonly number[],
  decide: (pair: RealPair, i: number, n: number) => readonly ReadonlyMap<string, Answer>[],
): void {
  const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)
  print(
    "n",
    "margin, points",
    "rule",
    "swaps where it is worse by more than the margin",
    "of those, worse by at most 3 points more",
    "swaps where it is at least as good",
  )
  print("---", "---", "---", "---", "---", "---")
  for (const n of sizes) {
    const counts = margins.map(
      () => new Map<string, { readonly worse: Count; readonly near: Count; readonly good: Count }>(),
    )
    pairs.forEach((pair, i) => {
      for (const [m, answers] of decide(pair, i, n).entries())
        for (const [rule, answer] of answers) {
          const [ofMargin, margin] = [counts[m], margins[m]] as [(typeof counts)[number], number]
          const count = ofMargin.get(rule) ?? { worse: empty(), near: empty(), good: empty() }
          ofMargin.set(rule, count)
          if (pair.difference < -margin) add(count.worse, answer)
          if (pair.difference < -margin && pair.difference >= -margin - 0.03) add(count.near, answer)
          if (pair.difference >= 0) add(count.good, answer)
        }
    })
    for (const [m, ofMargin] of counts.entries())
      for (const [rule, { worse, near, good }] of ofMargin)
        print(n, (margins[m] as number) * 100, rule, shareOf(worse), shareOf(near), shareOf(good))
  }
}

const shareOf = ({ swaps, all }: Count) => (all === 0 ? "" : `${((100 * swaps) / all).toFixed(1)} % of ${all}`)

function empty(): Count {
  return { swaps: 0, all: 0 }
}

function add(count: Count, answer: Answer): void {
  count.all++
  if (answer === "swap") count.swaps++
}
