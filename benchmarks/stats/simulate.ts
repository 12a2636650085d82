import { coverageOf, coverageScenarios } from "./coverage-worlds.ts"
import { marginErrors, membershipBins } from "./verdict-worlds.ts"

/** Prints the tables of README.md: `npx jiti benchmarks/stats/simulate.ts`, about three minutes on one core. */
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)

print("interval at 95 %", "covered", "truth below", "truth above")
for (const scenario of coverageScenarios) {
  const { name, covered, truthBelow, truthAbove } = coverageOf(scenario, 2000)
  print(name, percent(covered), percent(truthBelow), percent(truthAbove))
}

print("non-inferiority at the margin", "called non-inferior")
for (const [n, lost, won] of [
  [30, 0.15, 0.05],
  [100, 0.08, 0.03],
  [900, 0.03, 0.02],
] as const)
  print(`n ${n}, ${lost} lost and ${won} won`, percent(marginErrors(4000, n, lost, won)))

for (const kind of ["usual", "nearly all right"] as const)
  for (const samples of [30, 200]) {
    print(`${kind}, ${samples} samples: said to be on the frontier`, "variants", "said, on average", "truly on")
    for (const { from, to, variants, stated, trulyOn } of membershipBins(1000, samples, kind))
      print(`${Math.round(from * 100)}–${Math.round(to * 100)} %`, variants, percent(stated), percent(trulyOn))
  }
