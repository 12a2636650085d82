// Starts a server through the built evalkit, prints the pids of its processes, and waits to be killed.
import { startProcess } from "../../dist/src/serving/process.js"

const server = startProcess({
  command: process.execPath,
  args: [new URL("./small-server.mjs", import.meta.url).pathname, process.argv[2] ?? "family"],
  environment: process.env,
})
const ready = await server.log.find(/^pids (\d+) (\d+)/)
console.log(`${ready[1]} ${ready[2]}`)
setInterval(() => {}, 1e6)
