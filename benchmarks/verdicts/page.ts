import { writeFileSync } from "node:fs"
import { changesOf } from "../../src/analyse/compare/changes.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import { seriesDistribution } from "../../src/perf/distribution.ts"
import { studentQuantile } from "../../src/stats/distributions.ts"
import { meanBound } from "../../src/stats/intervals/mean-bound.ts"
import { predictionPoweredMean } from "../../src/stats/intervals/prediction-powered.ts"
import { mean, standardError } from "../../src/stats/mean.ts"
import { groupUnits, unitStandardError } from "../../src/stats/resampling/units.ts"
import { scoredVariant } from "../../test/support/scored.ts"
import { type CostWorld, costWorlds, qualityWorlds } from "./page-worlds.ts"
import { evalkit, type Rule } from "./rules.ts"
import { simulate } from "./simulate.ts"

/** Writes docs/reviewers/worlds.md: `npx jiti benchmarks/verdicts/page.ts [trials]`. */
const trials = Number(process.argv[2] ?? 400)
const alpha = 0.05
const lines: string[] = []
let cells = 0
const row = (...parts: readonly (string | number)[]) => lines.push(`| ${parts.join(" | ")} |`)
const head = (...parts: readonly string[]) => {
  row(...parts)
  row(...parts.map((_, i) => (i === 0 ? "---" : "---:")))
}
const percent = (share: number) => (100 * share).toFixed(1)
const eachAlone = (n: number) => Array.from({ length: n }, (_, i) => `${i}`)
/** Two Monte Carlo standard errors, in points. */
const error = (share: number) => (200 * Math.sqrt((share * (1 - share)) / trials)).toFixed(1)
/** With its error; marked where it lies above what is promised by more than that. */
const errors = (share: number, nominal: number) => {
  const isAbove = share - nominal > 2 * Math.sqrt((nominal * (1 - nominal)) / trials)
  return `${isAbove ? "**" : ""}${percent(share)}${isAbove ? "**" : ""} ± ${error(share)}`
}
const repeated = (name: string, draw: (random: Random) => boolean) => {
  let count = 0
  for (let trial = 0; trial < trials; trial++) count += Number(draw(createRandom(`page/${name}/${trial}`)))
  return count / trials
}

const student: Rule = {
  name: "t",
  decide({ differences, failures, clusters }, margin) {
    const all = [...differences, ...failures]
    const units = groupUnits(all, clusters ?? eachAlone(all.length))
    const values = units.sums.reduce((sum, value) => sum + value, 0) / units.sizes.reduce((sum, size) => sum + size, 0)
    const half = studentQuantile(1 - alpha, units.sums.length - 1) * unitStandardError(units)
    return values - half > -margin ? "swap" : "open"
  },
}

lines.push("## Quality: may we swap?", "")
head("differences of a pair", "margin", "n", "false swap", "of t", "power", "of t")
for (const world of qualityWorlds)
  for (const n of [50, 100, 200, 400]) {
    cells++
    const [own, t] = [simulate(world, evalkit, n, trials), simulate(world, student, n, trials)]
    const powers = [own, t].map(({ power }) => `${percent(power)} ± ${error(power)}`)
    row(world.name, world.margin, n, errors(own.falseSwap, alpha), errors(t.falseSwap, alpha), ...powers)
  }

/** A run of a world by the path of `compare`, and by Student's t of the ratio's linear part. */
function costRun(world: CostWorld, n: number, random: Random, isCheaper: boolean) {
  const pairs = Array.from({ length: n }, () => world.draw(random, isCheaper))
  const longest = world.longest
  const side = (name: string, of: 0 | 1) => ({
    ...scoredVariant(
      name,
      "m",
      pairs.map((pair) => ({ value: 1, facts: { costUsd: pair[of], completionTokens: pair[of] } })),
    ),
    ...(longest !== null && { longestAnswer: { tokens: longest, usd: longest } }),
  })
  const change = changesOf(side("a", 0), side("b", 1), { alpha, smallestGain: 0.05 }).find(
    ({ figure }) => figure === "costUsd",
  )
  const [before, after] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)]
  const ratio = mean(after) / mean(before)
  const parts = after.map((value, i) => (value - ratio * (before[i] as number)) / mean(before))
  const half = studentQuantile(1 - alpha / 2, n - 1) * standardError(parts)
  return { change, low: ratio - 1 - half, high: ratio - 1 + half }
}

lines.push("", "## Cost: is it cheaper?", "")
head(
  "cost of a call",
  "longest answer, in means",
  "n",
  "false saving",
  "of t",
  "power",
  "of t",
  "width",
  "of t",
  "least that any bound adds",
)
for (const world of costWorlds)
  for (const n of world.samples) {
    cells++
    const isHarmful = world.truth > 0
    const widths: [number, number][] = []
    const wrong = [0, 0]
    const right = [0, 0]
    for (let trial = 0; trial < trials; trial++)
      for (const isCheaper of [false, true]) {
        const random = createRandom(`cost/${world.name}/${world.longest}/${n}/${trial}/${isCheaper}`)
        const { change, low, high } = costRun(world, n, random, isCheaper)
        const count = isCheaper && !isHarmful ? right : wrong
        const weight = isHarmful ? 0.5 : 1
        count[0]! += weight * Number(change?.isProven && change.share < 0)
        count[1]! += weight * Number(high < 0)
        if (change?.low != null && change.high != null) widths.push([change.high - change.low, high - low])
      }
    const median = (of: 0 | 1) => {
      const sorted = widths.map((pair) => pair[of]).sort((a, b) => a - b)
      return sorted.length < trials ? "none" : (sorted[Math.floor(sorted.length / 2)] as number).toFixed(2)
    }
    const floor = world.longest === null ? "" : (world.longest * (1 - (alpha / 2) ** (1 / n))).toFixed(2)
    const powers = isHarmful ? ["", ""] : right.map((count) => percent(count / trials))
    const [own = 0, t = 0] = wrong.map((count) => count / trials)
    row(
      world.name,
      world.longest ?? "not stated",
      n,
      errors(own, alpha / 2),
      errors(t, alpha / 2),
      ...powers,
      median(0),
      median(1),
      floor,
    )
  }

lines.push("", "## Times: percentiles of a series", "")
head("times", "percentile", "n", "truth left out", "a limit at the truth kept")
for (const correlation of [0, 0.5, 0.9])
  for (const n of [100, 400])
    for (const percentile of [50, 95] as const) {
      cells++
      const truth = percentile === 50 ? 1 : Math.exp(0.5 * 1.6448536)
      let kept = 0
      const missed = repeated(`ar/${correlation}/${n}/${percentile}`, (random) => {
        let level = random.normal()
        const values = Float64Array.from({ length: n }, () => {
          level = correlation * level + Math.sqrt(1 - correlation ** 2) * random.normal()
          return Math.exp(0.5 * level)
        })
        const distribution = seriesDistribution(values, "")
        const figure = percentile === 50 ? distribution.p50 : distribution.p95
        if (figure.status !== "known") return false
        const [low, high] = [figure.low ?? Number.NEGATIVE_INFINITY, figure.high ?? Number.POSITIVE_INFINITY]
        kept += Number(high < truth)
        return low > truth || high < truth
      })
      row(
        `lognormal, correlation ${correlation}`,
        percentile,
        n,
        errors(missed, alpha),
        errors(kept / trials, alpha / 2),
      )
    }

lines.push("", "## Means: the interval that is shown", "")
head("values", "n", "truth left out")
const shown: Readonly<Record<string, readonly [truth: number, draw: (random: Random) => number]>> = {
  "90 % are 0, the rest uniform": [0.05, (random) => (random.next() < 0.9 ? 0 : random.next())],
  "90 % are 1, the rest uniform": [0.95, (random) => (random.next() < 0.9 ? 1 : random.next())],
  "right in 95 %": [0.95, (random) => Number(random.next() < 0.95)],
  uniform: [0.5, (random) => random.next()],
}
for (const [name, [truth, draw]] of Object.entries(shown))
  for (const n of [50, 100, 200]) {
    cells++
    const missed = repeated(`mean/${name}/${n}`, (random) => {
      const units = groupUnits(
        Float64Array.from({ length: n }, () => draw(random)),
        eachAlone(n),
      )
      const { low, high } = meanBound(units, { range: [0, 1], alpha })
      return (low ?? 0) > truth + 1e-12 || (high ?? 1) < truth - 1e-12
    })
    row(name, n, errors(missed, alpha))
  }

lines.push("", "## A judge's mean, corrected by labels of people", "")
head("people find right", "labels of 500", "truth left out")
for (const rate of [0.5, 0.8, 0.95])
  for (const labels of [10, 20, 50]) {
    cells++
    const missed = repeated(`people/${rate}/${labels}`, (random) => {
      const items = Array.from({ length: 500 }, (_, i) => {
        const human = Number(random.next() < rate)
        return { judge: random.next() < 0.9 ? human : 1 - human, human: i < labels ? human : null }
      })
      const result = predictionPoweredMean(items, alpha, [0, 1])
      return (result?.low ?? 0) > rate || (result?.high ?? 1) < rate
    })
    row(rate, labels, errors(missed, alpha))
  }

const marked = lines.join("\n").split("**").length >> 1
const text = `# A hundred worlds: how often each rule is wrong, and what it sees

Made by \`npx jiti benchmarks/verdicts/page.ts ${trials}\`: ${cells} worlds whose truth is known, ${trials} trials each, by the functions that the commands call. Errors in percent, with two
standard errors of the simulation; **bold** where one lies above what is promised (false swaps 5, false savings 2.5, intervals that leave the truth out 5, limits 2.5) by more than those:
of ${cells} worlds a few would by chance. \`t\` is Student's, over clusters where there are any, and promises nothing for few or skewed values. Marked: ${marked}, those of t included.

${lines.join("\n")}

## Why a wide limit of tokens costs power

Where the longest answer allowed costs M mean costs, an answer that long may have come in a share of the calls that n calls did not show: a bound that holds for every distribution
must add M (1 − 2.5 %^(1/n)), the last column, whatever its method; betting and empirical-Bernstein bounds, which know the variance too, can only add more. So a saving of 30 % needs n of some 12 M
before anything can prove it. State a \`maxTokens\` near what the answers need; leave it out, and the interval is Student's, widened for skewness, which says of a tail only what was seen.
The bound is as narrow as the facts allow already: only the answer's part is unknown, and what of the limit an answer left is added to its own cost, prompts as they were; and only the end that an
unseen long answer would move is bounded so, the other is Student's. All ratios being the same changes nothing of this, unless both sides wrote the same texts in as many tokens: then the price
alone differs, and the saving is exact. In the runaway world without a limit .99^n of the runs show no long answer (61 % at n = 50, 37 % at 100), and no rule can tell them from a saving.

## Why few clusters, or rare losses, have no power

Where a metric can lose a whole, a share q = margin of the clusters (of the pairs, where there are none) may lose it and the rest be as before: that is worse by the margin, and looks in (1 − q)^C of
the draws of C clusters as if nothing were lost. A rule that swaps falsely in at most 5 % therefore sees an equal candidate in at most 5 % / (1 − margin)^C of the draws, whatever its method: 14 % with
10 clusters at a margin of .1, 41 % with 20. One that draws no lots and meets differences that hardly vary sees it never below log .05 / log (1 − margin) clusters or pairs: 29 at a margin of .1, 59 at .05,
74 at .04, 149 at .02, 299 at .01, which is about where the power above begins. A bound by betting or an empirical-Bernstein bound is subject to the same, and wider; Student's t has its power there by leaving
unseen losses out, and pays with its false swaps.
`
writeFileSync(new URL("../../docs/reviewers/worlds.md", import.meta.url), text)
