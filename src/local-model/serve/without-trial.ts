import childProcess from "node:child_process"
import { EventEmitter } from "node:events"
import { syncBuiltinESMExports } from "node:module"
import { basename } from "node:path"

/** The module that node-llama-cpp runs in a process of its own. */
const trial = "testBindingBinary.js"

/** Longest wait for the binding to take the answers, in milliseconds. */
const patienceMs = 2000

/** What the trial's process answers to each message. */
const answers = new Map([
  ["start", "loaded"],
  ["test", "done"],
])

/**
 * Runs `load` without node-llama-cpp's trial of its binary, and, where that fails, once more with it.
 *
 * The binding loads its binary in a process of its own first, a third of a second each time, so that one that does not suit this machine cannot
 * end the program. For a process that does nothing but serve one model that is no protection: its parent sees how it ended and says so.
 * There is no option to leave it out. The trial speaks by messages, which are answered here; a version of the binding
 * that speaks in another way fails within {@link patienceMs}, and gets its trial.
 */
export async function withoutTrial<T>(load: () => Promise<T>): Promise<T> {
  const { fork } = childProcess
  let skipped = false
  const replace = (stand: unknown) => {
    Object.assign(childProcess, { fork: stand })
    syncBuiltinESMExports()
  }
  replace((...call: Parameters<typeof fork>) => {
    if (basename(String(call[0])) !== trial) return fork(...call)
    skipped = true
    return passedTrial()
  })
  try {
    return await load()
  } catch (error) {
    if (!skipped) throw error
    replace(fork)
    return await load()
  } finally {
    replace(fork)
  }
}

/** What stands for the process of a trial that is passed. */
function passedTrial(): EventEmitter {
  const child = new EventEmitter()
  let ended = false
  const end = (code: number) => {
    if (ended) return
    ended = true
    clearTimeout(waiting)
    child.emit("exit", code)
  }
  const waiting = setTimeout(end, patienceMs, 1)
  const say = (type: string) => process.nextTick(() => child.emit("message", { type }))
  say("ready")
  return Object.assign(child, {
    stdout: null,
    stderr: null,
    exitCode: null,
    killed: false,
    send({ type }: { readonly type: string }) {
      const answer = answers.get(type)
      if (answer) say(answer)
      else process.nextTick(end, type === "exit" ? 0 : 1)
      return true
    },
    kill: () => true,
  })
}
