import { createRandom } from "../../src/core/random.ts"
import { varianceComponents } from "../../src/stats/variance-components.ts"
import { agentWorlds, drawParts } from "./agents.ts"
import { evalkit, peers } from "./rules.ts"
import { coverage, simulate } from "./simulate.ts"

/** Prints the tables of agents and simulated users in README.md: `npx jiti benchmarks/verdicts/agents-main.ts [runs]`. */
const runs = Number(process.argv[2] ?? 400)
const withError = (share: number, of: number) =>
  `${(share * 100).toFixed(1)} ± ${(200 * Math.sqrt((share * (1 - share)) / of)).toFixed(1)}`
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)
const naive = peers.find(({ name }) => name === "naive t")

print(
  "world",
  "tasks",
  "false swap",
  "power",
  "false keep",
  "covered, truth 0",
  "on the margin",
  "false swap of t over episodes",
)
print("---", "---", "---", "---", "---", "---", "---", "---")
for (const world of agentWorlds)
  for (const n of [50, 100, 200]) {
    const { falseSwap, power, falseKeep } = simulate(world, evalkit, n, runs)
    const other = naive ? simulate(world, naive, n, runs).falseSwap : 0
    const held = [0, -world.margin].map((truth) => withError(coverage(world, n, truth, runs), runs))
    print(
      world.name,
      n,
      withError(falseSwap, runs),
      withError(power, runs),
      withError(falseKeep, runs),
      ...held,
      withError(other, runs),
    )
  }

process.stdout.write("\n")
print("tasks, each with 2 users twice", "part", "known", "mean estimate", "95 % interval holds it")
print("---", "---", "---", "---", "---")
for (const n of [50, 200]) {
  for (const name of ["task", "user", "noise"] as const) {
    let [sum, held, count] = [0, 0, 0]
    for (let run = 0; run < runs; run++) {
      const { scores, parts } = drawParts(createRandom(`parts/${n}/${run}`), n)
      const component = varianceComponents(scores)[name]
      count = parts[name]
      sum += component?.value ?? 0
      held += Number((component?.low ?? 1) <= count && count <= (component?.high ?? 0))
    }
    print(n, name, count.toFixed(4), (sum / runs).toFixed(4), withError(held / runs, runs))
  }
}
