import { pathToFileURL } from "node:url"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
let lines = 0

/** Runs a command line by a `bin.js` as if it had been started anew, in this process; gives the code that it would end with. */
export async function runLine(program, args) {
  const ended = new Promise((resolve) => {
    process.exit = resolve
  })
  process.argv.splice(1, process.argv.length, program, ...args)
  // Another address is another module; the chunks that it imports are the same ones.
  await import(`${pathToFileURL(program).href}?line=${lines++}`)
  const code = await ended
  for (const listened of [process, process.stdout, process.stderr])
    for (const event of ["uncaughtException", "beforeExit", "error", ...signals]) listened.removeAllListeners(event)
  return code
}
