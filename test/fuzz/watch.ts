import { Worker } from "node:worker_threads"

/** Sees what a case does beside its own promise: rejections that nobody awaits, and loops that never give up the thread. */
export interface Watch {
  begin(what: string): void
  /** What nobody awaited since the last case, or null. */
  unhandled(): string | null
  end(): void
  close(): Promise<void>
}

/** Ends the process, by its id, when a case holds the thread for longer; says which. */
const longestSeconds = 60

const source = `
const { parentPort, workerData } = require("node:worker_threads")
const { writeSync } = require("node:fs")
let timer
parentPort.on("message", (what) => {
  clearTimeout(timer)
  if (what === null) return
  timer = setTimeout(() => {
    writeSync(2, "a hang: the thread was not given back for ${longestSeconds} s\\n" + what + "\\n")
    process.kill(process.pid, "SIGKILL")
  }, ${longestSeconds * 1000})
})`

/** Starts watching. */
export function startWatch(): Watch {
  const worker = new Worker(source, { eval: true })
  worker.unref()
  let lost: string | null = null
  const note = (error: unknown) => {
    lost ??= `nobody awaited: ${error instanceof Error ? error.stack : String(error)}`
  }
  process.on("unhandledRejection", note)
  process.on("uncaughtException", note)
  return {
    begin: (what) => worker.postMessage(what),
    unhandled: () => {
      const said = lost
      lost = null
      return said
    },
    end: () => worker.postMessage(null),
    async close() {
      process.off("unhandledRejection", note)
      process.off("uncaughtException", note)
      await worker.terminate()
    },
  }
}
