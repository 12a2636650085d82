import type { FaultKind, WorldKind } from "../../test/support/simulation/plan.ts"
import { playWorld, warmUp } from "../../test/support/simulation/world.ts"

// npx jiti benchmarks/simulation/main.ts [first seed] [seeds] [kind] [tell]: plays worlds, and says which break an invariant.
const [first = "0", seeds = "100", kind = "run", tell] = process.argv.slice(2)
await warmUp(kind as WorldKind)
const startedMs = performance.now()
let [steps, requests, processes, broken, seconds] = [0, 0, 0, 0, 0]
const struck = new Map<FaultKind, number>()
for (let seed = Number(first); seed < Number(first) + Number(seeds); seed++) {
  const end = await playWorld(seed, kind as WorldKind, tell === undefined ? undefined : console.log)
  steps += end.steps
  requests += end.requests
  processes += end.processes
  seconds += end.seconds
  for (const [kind, count] of end.struck) struck.set(kind, count + (struck.get(kind) ?? 0))
  if (end.broken.length === 0) continue
  broken++
  console.log(`world ${seed} ${JSON.stringify(end.plan)}\n  ${[...new Set(end.broken)].slice(0, 5).join("\n  ")}`)
}
console.log(
  `${seeds} worlds, ${broken} broken; ${steps} steps, ${requests} requests, ${processes} processes, ${(seconds / 3600).toFixed(1)} simulated hours in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
)
console.log(`struck: ${[...struck].map(([kind, count]) => `${kind} ${count}`).join(", ")}`)
process.exitCode = broken > 0 ? 1 : 0
