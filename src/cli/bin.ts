#!/usr/bin/env node
import { setMaxListeners } from "node:events"
import { writeSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { configBeingLoaded } from "../config/being-loaded.ts"
import { ExitCode, messageOf } from "../core/errors.ts"
import { watchHeldThread } from "../platform/held-thread.ts"
import { setAsideInSteps } from "../platform/interruptible.ts"
import { keepFilesPrivate } from "../platform/private-files.ts"
import { streamWriter } from "../platform/stream-writer.ts"
import { redactSecrets } from "../text/secrets.ts"
import { plainLines } from "../words/text.ts"
import { wrapLines } from "./arguments/wrap-lines.ts"
import { keyPresses } from "./label/key-presses.ts"
import { main } from "./main.ts"

// Garbage may take half of what is in use before it is collected, not three times as much: a run of 100,000 samples makes much of it.
setFlagsFromString("--heap-growing-percent=50")
// V8 11 compiles anew whatever has run for a moment, which was a tenth of the work of a run of minutes. Later ones count calls, as is meant here.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--interrupt-budget=400000")
let isDone = false
let idleTurns = 0
const interrupt = new AbortController()
setMaxListeners(0, interrupt.signal) // every wait and request of a run listens
// What a scheduler, a container or a closed terminal sends means the same as Ctrl-C: end in order, resumable.
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/**
 * Takes over the first signal, for commands that end in order; the second one ends the process at once, by the system's own hand,
 * whatever the process is at (the first, too, where something holds the thread for seconds), and so does SIGTERM or SIGHUP while a step of the statistics holds the thread. Commands that do not ask
 * leave it to the system from the first.
 */
function listen(): AbortSignal {
  if (!isListening) {
    for (const signal of endings) process.on(signal, end)
    setAsideInSteps(end)
    watchHeldThread(held)
  }
  isListening = true
  return interrupt.signal
}

function end(): void {
  for (const signal of endings) process.off(signal, end)
  interrupt.abort(new Error("interrupted"))
}

let isListening = false
const held =
  "evalkit: one step has held the command for a minute (a metric, a provider, the config, or a step of the statistics): Ctrl-C ends it at once, and what was answered is kept\n"
// What evalkit writes holds data sets and answers: for this user's eyes.
keepFilesPrivate()
// A closed pipe (`evalkit runs | head`) is not a fault; a full disk behind the output is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0)
  endWith("the output cannot be written", error, ExitCode.usage)
})
process.stderr.on("error", () => {})
// What a config, a metric or a provider lets fall outside of the calls that evalkit awaits.
process.on("uncaughtException", (error) => {
  const config = configBeingLoaded()
  if (config !== null) endWith(`${config}: an error of the config that nobody awaited`, error, ExitCode.usage)
  endWith("an error that nobody awaited ended the command", error, ExitCode.fault)
})
process.on("beforeExit", () => {
  if (isDone) return
  // Whoever knows what is awaited, as the loader of configs does, speaks first.
  if (++idleTurns < 2) setImmediate(() => {})
  else endWith("the command waits for something that never comes", null, ExitCode.fault)
})

/** Says in one line why the process ends, and ends it. */
function endWith(what: string, error: unknown, code: number): never {
  const why = error === null ? "" : `: ${plainLines(redactSecrets(messageOf(error)))}`
  const stack = process.env.EVALKIT_DEBUG && error instanceof Error ? `${redactSecrets(String(error.stack))}\n` : ""
  try {
    writeSync(2, `evalkit: ${what}${why}\n${stack}`)
  } catch {
    // There is nowhere left to say it.
  }
  process.exit(code)
}

const ci = process.env.CI !== undefined && process.env.CI !== "" && process.env.CI !== "false"
const isTerminal = Boolean(process.stderr.isTTY)
const width = process.stderr.columns ?? 100
const exitCode = await main(process.argv.slice(2), {
  out: streamWriter(process.stdout),
  takesBytes: !process.stdout.isTTY,
  err: (text) => void process.stderr.write(isTerminal ? wrapLines(text, width) : text),
  environment: process.env,
  cwd: process.cwd(),
  interactive: isTerminal && !ci,
  color: Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb",
  unicode: process.platform !== "linux" || process.env.TERM !== "linux",
  columns: process.stdout.columns ?? 100,
  ...(process.stdin.isTTY ? { keys: () => keyPresses(process.stdin) } : { input: () => process.stdin }),
  get signal() {
    return listen()
  },
})
isDone = true
process.exitCode = exitCode
// Timers and connections that a config left open must not keep a finished command alive: it ends once its output is written.
// What cannot be written is said by the listeners above, which end it, too.
process.stdout.write("", (fault) => {
  if (!fault) process.stderr.write("", () => setImmediate(() => process.exit(exitCode)))
})
