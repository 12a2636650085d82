import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Arrangement, arrangements } from "../../test/support/capture/arrangements.ts"
import { chaosFaults } from "../../test/support/chaos/faults.ts"
import { runThroughChaos } from "../../test/support/chaos/through-run.ts"
import { startServing } from "./serving.ts"

/** `evalkit run` against a server that fails in 0, 10, 50 and 100 % of the requests, captured in each way. */
const count = Number(process.argv[2] ?? 10_000)
const chosen = (process.argv[3]?.split(",") ?? arrangements) as readonly Arrangement[]
const rates = (process.argv[4] ?? "0,0.1,0.5,1").split(",").map(Number)

const serving = await startServing()
const root = mkdtempSync(join(tmpdir(), "evalkit-chaos-"))
let isClean = true
console.log(
  "| transport | faults | requests | exit | seconds | wrong class or answer | not as in the server's log | peak memory, MB |",
)
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for (const arrangement of chosen)
  for (const rate of rates) {
    await serving.reset()
    const folder = join(root, `${arrangement.replaceAll(" ", "-")}-${rate}`)
    const ended = await runThroughChaos({
      folder,
      server: serving,
      arrangement,
      rate,
      count,
      concurrency: 64,
      retries: 0,
    })
    const log = await serving.log()
    const faults = Object.keys(chaosFaults) as (keyof typeof chaosFaults)[]
    const differing = faults.filter((fault) => (ended.attempts[fault] ?? 0) !== (log[fault] ?? 0))
    const requests = faults.reduce((sum, fault) => sum + (log[fault] ?? 0), 0)
    const peak = Math.max(...ended.memory.map(({ rss }) => rss)) / 1e6
    const cells = [
      arrangement,
      `${rate * 100} %`,
      requests,
      ended.code,
      ended.seconds.toFixed(1),
      ended.wrong.length,
      differing.length,
    ]
    console.log(`| ${[...cells, peak.toFixed(0)].join(" | ")} |`)
    console.error(JSON.stringify({ arrangement, rate, outcomes: ended.outcomes, log }))
    for (const line of ended.wrong.slice(0, 5)) console.error(`  ${line}`)
    for (const fault of differing)
      console.error(`  ${fault}: ${ended.attempts[fault] ?? 0} on record, ${log[fault] ?? 0} in the log`)
    isClean &&= ended.wrong.length === 0 && differing.length === 0
    rmSync(folder, { recursive: true, force: true })
  }
serving.close()
rmSync(root, { recursive: true, force: true })
process.exit(isClean ? 0 : 1)
