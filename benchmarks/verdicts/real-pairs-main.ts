import { join } from "node:path"
import { decideAll, readPairs } from "./real-pairs.ts"
import type { Answer } from "./rules.ts"

/**
 * Prints the table of real pairs in README.md: `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/verdicts/real-pairs-main.ts [share]`, where
 * the folder has `zeroeval/readings.jsonl`, and the share is of the pairs.
 */
const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) throw new Error("set EVALKIT_REFERENCE_DATA to the folder that holds zeroeval/readings.jsonl")
const share = Number(process.argv[2] ?? 1)
const all = readPairs(join(folder, "zeroeval", "readings.jsonl"))
const pairs = all.filter((_, i) => Math.floor(i * share) !== Math.floor((i - 1) * share))
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)

/** What a rule said of some pairs. */
interface Count {
  swaps: number
  all: number
}

const shareOf = ({ swaps, all }: Count) => (all === 0 ? "" : `${((100 * swaps) / all).toFixed(1)} % of ${all}`)

print(
  "n",
  "margin, points",
  "rule",
  "swaps where it is worse by more than the margin",
  "of those, worse by at most 3 points more",
  "swaps where it is at least as good",
)
print("---", "---", "---", "---", "---", "---")
const margins = [0.01, 0.02, 0.05]
for (const n of [100, 200, 400]) {
  const counts = margins.map(
    () => new Map<string, { readonly worse: Count; readonly near: Count; readonly good: Count }>(),
  )
  pairs.forEach((pair, i) => {
    for (const [m, answers] of decideAll(pair, n, margins, `${pair.task} ${i} ${n}`).entries())
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

function empty(): Count {
  return { swaps: 0, all: 0 }
}

function add(count: Count, answer: Answer): void {
  count.all++
  if (answer === "swap") count.swaps++
}
