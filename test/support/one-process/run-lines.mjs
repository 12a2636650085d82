// Runs the command lines that its parent sends, each by the built `bin.js` (the first argument) as if it had been started anew, one
// after the other in this process: what a start loads is loaded once.
import { pathToFileURL } from "node:url"

const program = process.argv[2]
const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
let lines = 0

/** Keeps what is written to a stream from now on. */
function kept(stream) {
  const parts = []
  stream.write = (part, ...more) => {
    parts.push(Buffer.from(part))
    more.find((one) => typeof one === "function")?.()
    return true
  }
  return () => Buffer.concat(parts).toString("utf8")
}

process.on("message", async (args) => {
  const stdout = kept(process.stdout)
  const stderr = kept(process.stderr)
  const ended = new Promise((resolve) => {
    process.exit = resolve
  })
  process.argv.splice(1, process.argv.length, program, ...args)
  // Another address is another module; the chunks that it imports are the same ones.
  await import(`${pathToFileURL(program).href}?line=${lines++}`)
  const code = await ended
  for (const listened of [process, process.stdout, process.stderr])
    for (const event of ["uncaughtException", "beforeExit", "error", ...signals]) listened.removeAllListeners(event)
  process.send({ code, stdout: stdout(), stderr: stderr() })
})
