import { parseArgs } from "node:util"
import { sharesOf, tryOut } from "./fuzz.ts"
import { openRoom } from "./room.ts"
import { surfaces } from "./surfaces/all.ts"
import { startWatch } from "./watch.ts"

// Arbitrary inputs for everything that reads what others wrote: npm run fuzz -- --seed 1 --cases 100000 [--surface NAME]
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "5000" },
    surface: { type: "string" },
  },
})
const seed = Number(values.seed)
const chosen = surfaces.filter(({ name }) => values.surface === undefined || name.includes(values.surface))
const shares = sharesOf(chosen, Number(values.cases))
const watch = startWatch()
const room = await openRoom()
let cases = 0
let faults = 0
console.log(`seed ${seed}\n\n| surface | cases | faults | slowest, ms | seconds |\n| --- | ---: | ---: | ---: | ---: |`)
for (const [i, surface] of chosen.entries()) {
  const started = performance.now()
  const tried = await tryOut(surface, room, seed, shares[i]!, watch)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `| ${surface.name} | ${tried.cases} | ${tried.faults.length} | ${Math.round(tried.slowestMs)} | ${seconds.toFixed(1)} |`,
  )
  for (const { fault, times, first, input } of tried.faults)
    console.log(`\n${times} times, first at case ${first}: ${fault}\n  input: ${input}\n`)
  cases += tried.cases
  faults += tried.faults.length
}
console.log(`| all | ${cases} | ${faults} | | |`)
room.close()
await watch.close()
process.exit(faults === 0 ? 0 : 1)
