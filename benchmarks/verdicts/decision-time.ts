/**
 * Processor time of a report's decisions (comparisons, frontier, routers, verdict) for 6 variants × 500 recorded answers and five
 * metrics, two of them over the corpus: the share of the command's samples in a profile, times its processor time.
 * Run: npm run build && npx jiti benchmarks/verdicts/decision-time.ts
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeProject } from "../scale/recorded-run.ts"

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string }
  readonly children?: readonly number[]
}

const deciding = new Set(["compareCandidates", "frontierOfVariants", "runRouters", "decide", "evaluateGate"])
const command = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "evalkit-decisions-"))
try {
  writeProject(folder, { samples: 500, variants: 6 })
  const config = join(folder, "eval.config.ts")
  const metrics = "exactMatch(), rouge(), tokenF1(), bleu(), chrf()"
  writeFileSync(
    config,
    readFileSync(config, "utf8")
      .replace("exactMatch,", "bleu, chrf, exactMatch, rouge, tokenF1,")
      .replace("[exactMatch()]", `[${metrics}]`),
  )
  const atExit = 'data:text/javascript,process.on("exit",()=>console.error("cpu",process.cpuUsage().user))'
  const node = [
    "--cpu-prof",
    "--cpu-prof-interval",
    "500",
    "--cpu-prof-dir",
    join(folder, "profile"),
    "--import",
    atExit,
  ]
  const { stderr, status } = spawnSync(process.execPath, [...node, command, "run"], { cwd: folder, encoding: "utf8" })
  if (status !== 0) throw new Error(`evalkit run ended with ${status}: ${stderr}`)
  const seconds = Number(/cpu (\d+)/.exec(stderr)?.[1]) / 1e6
  const share = shareOfDecisions(join(folder, "profile"))
  console.log(`6 variants × 500 answers, ${metrics}; node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    `evalkit run: ${seconds.toFixed(1)} s of processor time, ${(seconds * share).toFixed(2)} s of them decisions`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Share of the samples of all profiles in a folder that were taken below a function that decides. */
function shareOfDecisions(profiles: string): number {
  let busy = 0
  let decided = 0
  for (const file of readdirSync(profiles)) {
    const { nodes, samples } = JSON.parse(readFileSync(join(profiles, file), "utf8")) as {
      readonly nodes: readonly ProfileNode[]
      readonly samples: readonly number[]
    }
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const taken = new Map<number, number>()
    for (const id of samples) taken.set(id, (taken.get(id) ?? 0) + 1)
    const count = (id: number, isBelow: boolean): void => {
      const { callFrame, children = [] } = byId.get(id) as ProfileNode
      const decides = isBelow || deciding.has(callFrame.functionName)
      if (callFrame.functionName !== "(idle)" && callFrame.functionName !== "(program)") {
        busy += taken.get(id) ?? 0
        if (decides) decided += taken.get(id) ?? 0
      }
      for (const child of children) count(child, decides)
    }
    count(nodes[0]?.id as number, false)
  }
  return decided / busy
}
