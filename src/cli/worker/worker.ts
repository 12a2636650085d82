import { writeFile, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { loadConfig } from "../../config/load.ts"
import { applyOverrides } from "../../config/overrides.ts"
import { systemClock } from "../../core/clock.ts"
import { ExitCode, messageOf, UsageError } from "../../core/errors.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { queueName } from "../../pipeline/distribute/task.ts"
import { workOn } from "../../pipeline/distribute/worker.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { packageVersion } from "../../platform/version.ts"
import { calibrate } from "../../providers/calibrate.ts"
import { parseQueueLocation } from "../../queue/location.ts"
import { findStoreFolder, openStore } from "../../store/project-store.ts"
import { flag, json, number, text } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit worker --queue URL --config FILE`: answers slices until it is ended; what it answered is in the store. */
export const command: Command = {
  options: {
    queue: text("redis://host:6379 or postgres://user@host/database", { demandOption: true }),
    config: text("the config of the run, which the worker must have (default: eval.config.ts)"),
    concurrency: number("most requests in flight of this worker"),
    name: text("how it is called in rows and reports (default: host and process)"),
    once: flag("end with the first run that it takes part in, or that ends while it waits", { default: false }),
    alive: text("touch this file every five seconds, for whoever looks whether the worker stands still"),
    store: storeOptions.store,
    directory: storeOptions.directory,
    json: json("print what it did as JSON when it ends"),
  },
  examples: { "$0 worker --queue redis://10.0.0.5:6379 --config eval.config.ts": "on as many machines as you like" },

  async run(args, io) {
    const location = parseQueueLocation(args.queue, "--queue", io.environment)
    const { evaluation: loaded } = await loadConfig(args.config as string | undefined, {
      ...loadOptions(io),
      signal: io.signal,
    })
    const evaluation = applyOverrides(loaded, {
      ...(args.concurrency === undefined ? {} : { concurrency: Number(args.concurrency) }),
    })
    const store = openStore(args, io, { evaluation, role: "worker" })
    const folder = findStoreFolder(args, io, evaluation)
    let stopTouching = (): void => {}
    try {
      if (typeof args.alive === "string") stopTouching = touchOften(args.alive)
      const cacheDirectory = userCacheDirectory(io.environment)
      const opening = { clock: systemClock, environment: io.environment, cacheDirectory, signal: io.signal }
      const end = await workOn({
        ...opening,
        evaluation,
        store,
        defaultEmbedder: transformers({ cacheDirectory }),
        name: typeof args.name === "string" ? args.name : `${hostname()}-${process.pid}`,
        version: packageVersion(),
        calibrate: (load) => calibrate(load, evaluation.variants, opening),
        once: args.once === true,
        say: (message) => io.err(`evalkit worker: ${message}\n`),
        async consume(slices, work) {
          const { consumeSlices } = await import("../../queue/consume.ts")
          const options = {
            slices,
            work,
            onFault: saySeldom((message) => io.err(`evalkit worker: queue: ${message}\n`)),
          }
          const name = queueName(evaluation, store)
          const consumer = await consumeSlices(location, name, options)
          io.err(`evalkit worker: waits for slices of ${name} at ${location.shown}\n`)
          if (folder !== null)
            io.err(
              `evalkit worker: its store is ${folder}: for workers on other machines name one in PostgreSQL (--store)\n`,
            )
          return consumer
        },
      })
      if (args.json) io.out(`${JSON.stringify(end)}\n`)
      if (end.failure !== null) io.err(`evalkit worker: cannot go on: ${end.failure}\n`)
      return end.failure === null ? ExitCode.ok : ExitCode.incomplete
    } finally {
      stopTouching()
      store.close()
    }
  },
}

/** Keeps a file young for as long as this thread goes on. @throws {UsageError} when it cannot be written at first */
function touchOften(path: string): () => void {
  try {
    writeFileSync(path, "")
  } catch (error) {
    throw new UsageError(`the file cannot be written: ${messageOf(error)}`, {
      where: "--alive",
      hint: "name a file in a folder that this user may write to",
    })
  }
  // Where it fails later, the file grows old, which is what it is there for.
  const timer = setInterval(() => writeFile(path, "", () => {}), touchEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const touchEveryMs = 5_000

/** The same message is said once in ten seconds: a server that is gone says it many times a second. */
function saySeldom(say: (message: string) => void): (message: string) => void {
  let last = { message: "", atMs: Number.NEGATIVE_INFINITY }
  return (message) => {
    const atMs = systemClock.now()
    if (message === last.message && atMs - last.atMs < 10_000) return
    last = { message, atMs }
    say(message)
  }
}
