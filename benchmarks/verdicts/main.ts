import { cascadePromises, cascadeWorlds } from "./cascades.ts"
import { evalkit, peers } from "./rules.ts"
import {
  candidateErrors,
  coverage,
  extensionErrors,
  fewestSamples,
  latencyErrors,
  lookCosts,
  lookErrors,
  plannedPower,
  simulate,
} from "./simulate.ts"
import { worlds } from "./worlds.ts"

/** Prints the tables of README.md: `npx jiti benchmarks/verdicts/main.ts [runs]`. */
const runs = Number(process.argv[2] ?? 400)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
/** Runs on the margin that are looked at as they go on: an error of 5 % is known to half a point. */
const lookRuns = 25 * runs
/** With two Monte Carlo standard errors, in points. */
const withError = (share: number, of: number) =>
  `${(share * 100).toFixed(1)} ± ${(200 * Math.sqrt((share * (1 - share)) / of)).toFixed(1)}`
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)

print("world", "margin", "n", "rule", "false swap", "power", "false keep")
print("---", "---", "---", "---", "---", "---", "---")
for (const world of worlds)
  for (const n of [20, 50, 200])
    for (const rule of [evalkit, ...peers]) {
      const { falseSwap, power, falseKeep } = simulate(world, rule, n, runs)
      print(world.name, world.margin, n, rule.name, percent(falseSwap), percent(power), percent(falseKeep))
    }

process.stdout.write("\n")
const coverageRuns = 5 * runs
print("world", "n 20, truth 0", "on the margin", "n 50, truth 0", "on the margin", "n 200, truth 0", "on the margin")
print("---", "---", "---", "---", "---", "---", "---")
for (const world of worlds) {
  const covered = [20, 50, 200].flatMap((n) =>
    [0, -world.margin].map((truth) => withError(coverage(world, n, truth, coverageRuns), coverageRuns)),
  )
  print(world.name, ...covered)
}

process.stdout.write("\n")
print(
  "world",
  "planned n",
  "promised power",
  "power there",
  "until decided: false swap",
  "samples at truth 0, of the planned n",
  "shown by 600",
  "samples where it is better by the margin",
  "with the best stake known, at least",
)
print("---", "---", "---", "---", "---", "---", "---", "---", "---")
for (const world of worlds) {
  const { samples, promised, power } = plannedPower(world, coverageRuns)
  const cost = lookCosts(world, 0, samples, runs)
  const clear = world.hasGains ? lookCosts(world, world.margin, samples, runs).samples.toFixed(2) : ""
  const wrong = withError(lookErrors(lookRuns, world), lookRuns)
  const asked = [
    wrong,
    cost.samples.toFixed(2),
    percent(cost.shown),
    clear,
    (fewestSamples(world) / samples).toFixed(2),
  ]
  print(world.name, samples, percent(promised), withError(power, coverageRuns), ...asked)
}

process.stdout.write("\n")
print("question", "evalkit", "naive")
print("---", "---", "---")
const latency = latencyErrors(runs)
print("a gain between two names of one endpoint, 24 turns, drifting", percent(latency.blocked), percent(latency.naive))
const candidates = candidateErrors(runs)
print(
  "any of ten candidates on the margin is swapped to, n 200",
  percent(candidates.corrected),
  percent(candidates.naive),
)
print(
  "swap on the margin within 21 planned looks, n up to 600",
  percent(lookErrors(lookRuns)),
  percent(lookErrors(runs, worlds[0], true)),
)
const extension = extensionErrors(runs)
print("swap on the margin, 200 samples extended to 500 where open", percent(extension.staged), percent(extension.naive))

process.stdout.write("\n")
print(
  "cascade within the margin of its last stage",
  "margin",
  "n",
  "promised",
  "beyond, of all runs",
  "beyond, of those promised",
  "truth in the interval",
  "handed on",
  "beyond by the cheapest that kept the margin itself",
)
print("---", "---", "---", "---", "---", "---", "---", "---", "---")
for (const world of cascadeWorlds)
  for (const n of [100, 300, 1000]) {
    const promises = cascadePromises(world, n, Math.ceil(runs / 2))
    const ifAny = (share: number) => (promises.promised === 0 ? "" : percent(share))
    print(
      world.name,
      world.margin,
      n,
      percent(promises.promised),
      percent(promises.beyond),
      ifAny(promises.beyondOfPromised),
      ifAny(promises.covered),
      ifAny(promises.escalated),
      percent(promises.naiveBeyond),
    )
  }
