import { equalityTrials } from "./trials.ts"

/**
 * Prints the table of README.md from a store that holds a run of `eval.config.ts` beside this file:
 * `npx jiti benchmarks/model-equality/main.ts STORE [trials]`.
 */
const [directory = ".evalkit", trials = "200"] = process.argv.slice(2)
const requests = 300
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)

print("questions", "pair", "trials", "told apart", "by")
print("---", "---", "---:", "---:", "---")
for (const [label, from] of [
  ["1 to 5", 0],
  ["6 to 10", 5],
] as const)
  for (const pair of [
    ["f16", "f16"],
    ["q8_0", "q8_0"],
    ["f16", "q8_0"],
    ["q8_0", "q4_0"],
  ] as const) {
    const rates = await equalityTrials(directory, pair, { requests, prompts: [from, from + 5], trials: Number(trials) })
    const by = Object.entries(rates.by).map(([name, count]) => `${name} ${count}`)
    const share = `${((100 * rates.told) / rates.trials).toFixed(1)} %`
    print(label, pair.join(" against "), rates.trials, `${rates.told} (${share})`, by.join(", "))
  }
process.exit(0)
