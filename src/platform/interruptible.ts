import { Script } from "node:vm"
import { interrupted } from "../core/interruption.ts"

const stepName = Symbol.for("evalkit.breakable")
/** What is nearly done may be finished after an interruption, in milliseconds. */
const graceMs = 1000

/** Signals that the engine of the language does not break a step off for. */
const others = ["SIGTERM", "SIGHUP"] as const
const aside = new Set<NodeJS.SignalsListener>()

/**
 * Names a listener to SIGTERM and SIGHUP that steps set aside: nobody hears those signals while a step holds the thread, so that the
 * system ends the process at once. For a program whose work is on disk before a step begins; listeners that are not named stay.
 */
export function setAsideInSteps(listener: NodeJS.SignalsListener): void {
  aside.add(listener)
}

const script = new Script(`globalThis[Symbol.for("evalkit.breakable")]()`)

/**
 * Runs a step that holds the thread, so that SIGINT (Ctrl-C) ends it where it is: what listens for signals could not hear it before the
 * step is over, and hears it then. See {@link setAsideInSteps} for other signals. Only for steps that compute and keep nothing half done: their `finally` blocks do not run.
 *
 * @param signal aborted already: the step has a second, and is ended then
 * @returns what the step returns
 * @throws {EvalkitError} `interrupted`, or what the step throws
 */
export async function interruptible<T>(step: () => T, signal?: AbortSignal): Promise<T> {
  // A signal that came before is heard first: those who listen are put aside while the step runs, and it would be lost. Twice, for
  // signals are read between two turns: the first may come before they are.
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
  let result: { readonly value: T } | undefined
  Reflect.set(globalThis, stepName, () => {
    result = { value: step() }
  })
  const mine = others.flatMap((signal) =>
    process.listeners(signal).flatMap((listener) => (aside.has(listener) ? [[signal, listener] as const] : [])),
  )
  for (const [signal, listener] of mine) process.off(signal, listener)
  try {
    script.runInThisContext({ breakOnSigint: true, ...(signal?.aborted && { timeout: graceMs }) })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw interrupted()
    if (code !== "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw error
    if (!process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT")
    throw interrupted()
  } finally {
    Reflect.deleteProperty(globalThis, stepName)
    for (const [signal, listener] of mine) process.on(signal, listener)
  }
  return (result as { readonly value: T }).value
}
