import { isCleanBatchTally, killBatches } from "../../test/support/kills/batch-kills.ts"

/**
 * Kills runs by batch at seeded moments, and counts: `npx jiti benchmarks/kills/batches.ts [kills] [seed] [create]` after the build.
 * With `create` every kill follows the request for a batch.
 */
const [kills = 100, seed = 1] = process.argv.slice(2, 4).map(Number)
const creates = /^POST .*(\/batches|:batchGenerateContent)$/

const tally = await killBatches({
  kills,
  seed,
  samples: 12,
  services: ["openai", "anthropic", "gemini"],
  perRun: 4,
  ...(process.argv[4] === "create" && { after: creates }),
  onRun: (now) => console.error(JSON.stringify(now)),
})
const { after, faults, ...counts } = tally
console.log(`seed ${seed}`)
console.log("| what | number |\n| --- | ---: |")
for (const [name, value] of Object.entries(counts)) console.log(`| ${name} | ${value} |`)
for (const [request, times] of Object.entries(after).sort()) console.log(`| … killed after ${request} | ${times} |`)
for (const fault of faults) console.log(fault)
process.exit(isCleanBatchTally(tally) ? 0 : 1)
