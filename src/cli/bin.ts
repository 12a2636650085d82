#!/usr/bin/env node
import { setMaxListeners } from "node:events"
import { ExitCode } from "../core/errors.ts"
import { keyPresses } from "./label/key-presses.ts"
import { main } from "./main.ts"
import { streamWriter } from "./stream-writer.ts"

const interrupt = new AbortController()
setMaxListeners(0, interrupt.signal) // every wait and request of a run listens
let interrupts = 0
// What a scheduler, a container or a closed terminal sends means the same as Ctrl-C: end in order, resumable.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    if (++interrupts > 1) process.exit(ExitCode.interrupted)
    interrupt.abort(new Error("interrupted"))
  })
// What evalkit writes holds data sets and answers: for this user's eyes.
process.umask(0o077)
// A closed pipe (`evalkit runs | head`) is not a fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0)
  throw error
})

const ci = process.env.CI !== undefined && process.env.CI !== "" && process.env.CI !== "false"
process.exitCode = await main(process.argv.slice(2), {
  out: streamWriter(process.stdout),
  takesBytes: !process.stdout.isTTY,
  err: (text) => void process.stderr.write(text),
  environment: process.env,
  cwd: process.cwd(),
  interactive: Boolean(process.stderr.isTTY) && !ci,
  color: Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb",
  unicode: process.platform !== "linux" || process.env.TERM !== "linux",
  columns: process.stdout.columns ?? 100,
  ...(process.stdin.isTTY && { keys: () => keyPresses(process.stdin) }),
  signal: interrupt.signal,
})
