import { killEpisodes } from "../../test/support/kills/episode-kills.ts"

/**
 * Kills runs of episodes at seeded moments, and counts: `npx jiti benchmarks/kills/episodes.ts [kills] [samples] [seed]` after the build.
 * Each sample is an episode of two variants.
 */
const [kills = 25, samples = 50, seed = 1] = process.argv.slice(2, 5).map(Number)

const tally = await killEpisodes({ kills, samples, seed })
const { after, taken, faults, ...counts } = tally
console.log(`seed ${seed}`)
console.log("| what | number |\n| --- | ---: |")
for (const [name, value] of Object.entries(counts)) console.log(`| ${name} | ${value} |`)
for (const [how, times] of Object.entries(taken)) console.log(`| episodes that ${how} | ${times} |`)
for (const [mark, times] of Object.entries(after).sort()) console.log(`| … killed after ${mark} | ${times} |`)
for (const fault of faults) console.log(fault)
const { effectsTwice, stepsAgain, requestsAgain, lost } = counts
process.exit(effectsTwice + stepsAgain + requestsAgain + lost + faults.length === 0 ? 0 : 1)
