import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { contenders } from "./contenders.ts"

/** Runs one contender in this process and prints what it cost. Arguments: contender, base URL, prompts. */
const [name = "", baseUrl = "", prompts = "0"] = process.argv.slice(2)
const contender = contenders[name]
if (!contender) throw new Error(`no contender ${name}; there are ${Object.keys(contenders).join(", ")}`)

const directory = mkdtempSync(join(tmpdir(), "evalkit-benchmark-"))
try {
  const work = await contender({ baseUrl, prompts: Number(prompts), directory })
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const evaluations = await work()
  const seconds = (performance.now() - startedMs) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  process.stdout.write(
    `${JSON.stringify({
      name,
      evaluations,
      perSecond: evaluations / seconds,
      cpuMsPerEvaluation: (cpu.user + cpu.system) / 1000 / evaluations,
      peakMebibytes: process.resourceUsage().maxRSS / 1024,
    })}\n`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
