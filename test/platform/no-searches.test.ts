import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { ownModule } from "../../src/platform/own-module.ts"
import { scratchDirectory } from "../support/scratch.ts"

const { execArgv } = ownModule(import.meta.url, "./no-searches.test")
const source = fileURLToPath(new URL("../../src/platform/no-searches.ts", import.meta.url))

/** Fills a heap of its own and says how often V8 began to search it step by step: as usual, off twice over, off once, let again. */
const script = `
import { constants, PerformanceObserver } from "node:perf_hooks"
import { disableRegExpOptimizer } from ${JSON.stringify(source)}
let begun = 0
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL) begun++
}).observe({ entryTypes: ["gc"] })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function fill() {
  begun = 0
  for (let round = 0; round < 2; round++) {
    const kept = []
    for (let i = 0; i < 60; i++) {
      kept.push(Array.from({ length: 20_000 }, (_, j) => ({ i, j })))
      if (i % 10 === 0) await pause(2)
    }
  }
  await pause(50)
  return begun > 0
}
// When the engine searches is its own affair: several tries, of which one is enough.
const anyOf = async () => {
  for (let i = 0; i < 5; i++) if (await fill()) return true
  return false
}
const seen = [await anyOf()]
const first = disableRegExpOptimizer()
const second = disableRegExpOptimizer()
seen.push(await fill())
first()
first()
seen.push(await fill())
second()
seen.push(await anyOf())
console.log(JSON.stringify(seen))
`

it("keeps searches off until the last who asked for it lets them again", async () => {
  const file = join(scratchDirectory(), "searches.ts")
  writeFileSync(file, script)
  const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, file], {
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: "" },
  })
  expect(JSON.parse(stdout)).toEqual([true, false, false, true])
})
