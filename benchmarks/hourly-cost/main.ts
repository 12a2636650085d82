import { hourlyRun, hourlyWorlds } from "./worlds.ts"

/** How sure the cost of hardware by the hour is, over simulated runs: `npx jiti benchmarks/hourly-cost/main.ts [runs]`. */
const [runs = 400] = process.argv.slice(2).map(Number)

const share = (count: number) => `${((100 * count) / runs).toFixed(1)} %`

process.stdout.write(
  "| world | samples | in flight | cost of a query covered | of a correct answer | limit at the truth: kept | broken | cheaper of two equals |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
)
for (const world of hourlyWorlds) {
  const played = Array.from({ length: runs }, (_, seed) => hourlyRun(world, seed))
  const count = (is: (run: (typeof played)[number]) => boolean) => share(played.filter(is).length)
  const cells = [
    world.name,
    world.samples,
    world.concurrency,
    count(({ covers }) => covers.perQuery),
    count(({ covers }) => covers.perCorrect),
    count(({ limit }) => limit === "kept"),
    count(({ limit }) => limit === "violated"),
    count(({ isCheaperProven }) => isCheaperProven),
  ]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
}
