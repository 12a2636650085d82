import { killUsers } from "../../test/support/kills/user-kills.ts"

/**
 * Kills runs of conversations with simulated users at seeded moments, and counts: `npx jiti benchmarks/kills/users.ts [kills] [samples] [seed]`
 * after the build. Each sample is a conversation of two variants.
 */
const [kills = 25, samples = 50, seed = 1] = process.argv.slice(2, 5).map(Number)

const tally = await killUsers({ kills, samples, seed })
const { after, faults, ...counts } = tally
console.log(`seed ${seed}`)
console.log("| what | number |\n| --- | ---: |")
for (const [name, value] of Object.entries(counts)) console.log(`| ${name} | ${value} |`)
for (const [mark, times] of Object.entries(after).sort()) console.log(`| … killed after ${mark} | ${times} |`)
for (const fault of faults) console.log(fault)
const { sentAgain, otherWords, variantUsdOff, userUsdOff } = counts
process.exit(sentAgain + otherWords + faults.length === 0 && variantUsdOff === 0 && userUsdOff === 0 ? 0 : 1)
