// Starts a server through evalkit's own function, prints the pids of its processes, and waits to be killed.
import { createJiti } from "jiti"

const { startProcess } = await createJiti(import.meta.url).import("../../../src/serving/process.ts")
const server = startProcess({
  command: process.execPath,
  args: [new URL("../small-server.mjs", import.meta.url).pathname, process.argv[2] ?? "family"],
  environment: process.env,
})
const ready = await server.log.find(/^pids (\d+) (\d+)/)
console.log(`${ready[1]} ${ready[2]}`)
setInterval(() => {}, 1e6)
