import { conditions, paths, runSame } from "./runs.ts"

/** Prints the table of README.md: `npx jiti benchmarks/same/main.ts [runs of each cell] [first seed]`. */
const runs = Number(process.argv[2] ?? 14)
const firstSeed = Number(process.argv[3] ?? 1)
const print = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)
const total = { runs: 0, claims: 0, losses: 0 }

print(
  "both are",
  "their times",
  "runs",
  "SWAP",
  "faster, sooner or cheaper",
  "slower, later or dearer",
  "what was said",
)
print("---", "---", "---", "---", "---", "---", "---")
for (const path of paths)
  for (const condition of conditions) {
    const cell = { swaps: 0, gains: 0, losses: 0, said: [] as string[] }
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const { verdict, gains, losses } = await runSame({ path, condition, seed })
      cell.swaps += Number(verdict === "swap")
      cell.gains += Number(gains.length > 0)
      cell.losses += Number(losses.length > 0)
      if (gains.length > 0) cell.said.push(gains.join(" and "))
      total.runs++
      total.claims += Number(verdict === "swap" || gains.length > 0)
      total.losses += Number(losses.length > 0)
    }
    print(path, condition, runs, cell.swaps, cell.gains, cell.losses, cell.said.join("; "))
  }
const percent = (count: number) => `${count} of ${total.runs} (${((100 * count) / total.runs).toFixed(1)} %)`
process.stdout.write(`\nSWAP or a gain: ${percent(total.claims)}; a loss: ${percent(total.losses)}\n`)
process.exit(0)
