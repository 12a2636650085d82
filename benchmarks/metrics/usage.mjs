// Preloaded by score.mjs: writes what the process took to the file that EVALKIT_USAGE_FILE names, when it ends.
import { writeFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const started = performance.now()
if (isMainThread)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const usage = { wallMs: performance.now() - started, cpuMs: (userCPUTime + systemCPUTime) / 1e3, peakKb: maxRSS }
    writeFileSync(process.env.EVALKIT_USAGE_FILE, JSON.stringify(usage))
  })
