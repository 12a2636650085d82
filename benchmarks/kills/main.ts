import { killSeries, type Round } from "../../test/support/kills/series.ts"
import { isClean, tallyLines } from "../../test/support/kills/tally.ts"

/** Kills evalkit in every stage, resumes it, and counts: `npx jiti benchmarks/kills/main.ts [kills] [seed]` after the build. */
const [kills = 200, seed = 1] = process.argv.slice(2).map(Number)

const round: Round = {
  live: ["generation", "generation", "generation", "judging", "judging"],
  recorded: ["generation", "judging", "scoring", "scoring", "summary", "page"],
  import: 2,
  merge: 2,
}

const tally = await killSeries({
  kills,
  seed,
  samples: 30,
  round,
  onRound: (now) => console.error(JSON.stringify(now)),
})
console.log(`seed ${seed}`)
for (const line of tallyLines(tally)) console.log(line)
process.exit(isClean(tally) ? 0 : 1)
