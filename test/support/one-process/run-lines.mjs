// Runs the command lines that its parent sends, each by the built `bin.js` (the first argument) as if it had been started anew, one
// after the other in this process: what a start loads is loaded once.
import { runLine } from "./run-line.mjs"

const program = process.argv[2]

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
  const code = await runLine(program, args)
  process.send({ code, stdout: stdout(), stderr: stderr() })
})
