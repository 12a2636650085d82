import { AsyncLocalStorage } from "node:async_hooks"
import type { Random } from "../../../src/core/random.ts"

/** A process of the simulated world: what it set going ends with it. */
export class Actor {
  /** Nothing of it happens any more, as after SIGKILL. */
  isDead = false
  /** When that was seen; infinite before. */
  diedMs = Number.POSITIVE_INFINITY
  /** Nothing of it happens before, as after SIGSTOP; in milliseconds of the world. */
  stoppedUntilMs = 0
  /** How far its wall clock is from the world's, in milliseconds. */
  wallOffsetMs = 0
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

interface Event {
  atMs: number
  readonly number: number
  readonly actor: Actor | null
  readonly run: () => void
  isCancelled: boolean
}

/** All that happens in a simulated world, one event after the other, in an order that its seed gives. */
export interface Scheduler {
  /** Milliseconds since the world began. */
  now(): number
  /** Events that happened so far. */
  readonly steps: number
  /** A hash of what happened when, to whom. */
  readonly trace: number
  /** Lets `work` happen after `ms`, as a part of the process, which may have ended until then; null: of the world outside. */
  after(ms: number, actor: Actor | null, work: () => void): () => void
  /** Resolves after `ms`; of the world outside. */
  sleep(ms: number): Promise<void>
  /** Runs `work` as a process of the world. */
  runAs<Result>(actor: Actor, work: () => Result): Result
  /** The process whose work goes on now; null for the world outside. */
  current(): Actor | null
  /** Lets events happen until `isOver`. @throws {Error} when nothing more can happen, or more than `maxSteps` events have */
  runUntil(isOver: () => boolean, maxSteps: number): Promise<void>
  /** Gives the machine's own clocks and timers back. */
  end(): void
}

/** Where wall clocks are when a world begins. */
export const wallStartMs = 1_800_000_000_000

/**
 * Puts simulated clocks and timers in the place of the machine's: `setTimeout`, `setInterval`, `setImmediate`, `Date`, `performance.now`.
 * Time stands still while anything runs, and goes on to the next event when nothing does. One world at a time.
 */
export function startScheduler(random: Random): Scheduler {
  const own = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    clearImmediate: globalThis.clearImmediate,
    Date: globalThis.Date,
    now: performance.now,
    random: Math.random,
  }
  const owners = new AsyncLocalStorage<Actor>()
  const events = createHeap()
  let nowMs = 0
  let numbers = 0
  let steps = 0
  let trace = 0x811c9dc5
  const note = (value: number): void => {
    trace = Math.imul(trace ^ value, 0x01000193) >>> 0
  }
  /** Timers are late now and then. */
  const lateMs = (): number => (random.next() < 0.02 ? 30 * random.next() : 0)
  const add = (ms: number, actor: Actor | null, run: () => void): Event => {
    const event = { atMs: nowMs + Math.max(0, ms), number: ++numbers, actor, run, isCancelled: false }
    events.push(event)
    return event
  }
  const timer = (work: () => void, ms: number, isRepeat: boolean): Timer => {
    const actor = owners.getStore() ?? null
    if (actor?.isDead) return new Timer(() => {})
    const started = owners.getStore() ? AsyncLocalStorage.bind(work) : work
    let event: Event
    const arm = (): void => {
      event = add(Math.max(1, ms) + lateMs(), actor, () => {
        if (isRepeat) arm()
        started()
      })
    }
    arm()
    return new Timer(() => {
      event.isCancelled = true
    })
  }
  const set = { configurable: true, writable: true }
  const put = (on: object, name: string, value: unknown): void =>
    void Object.defineProperty(on, name, { ...set, value })
  const wall = (): number => Math.floor(wallStartMs + nowMs + (owners.getStore()?.wallOffsetMs ?? 0))
  put(globalThis, "setTimeout", (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    timer(() => work(...args), ms, false),
  )
  put(globalThis, "setInterval", (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    timer(() => work(...args), ms, true),
  )
  put(globalThis, "setImmediate", (work: (...args: unknown[]) => void, ...args: unknown[]) =>
    timer(() => work(...args), 0, false),
  )
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"])
    put(globalThis, name, (row: unknown) => (row instanceof Timer ? row.cancel() : own.clearTimeout(row as never)))
  put(performance, "now", () => nowMs)
  put(Math, "random", () => random.next())
  put(
    globalThis,
    "Date",
    class extends own.Date {
      constructor(...args: unknown[]) {
        super(...((args.length === 0 ? [wall()] : args) as [number]))
      }
      static override now(): number {
        return wall()
      }
    },
  )
  /** Everything that follows from the last event without waiting. */
  const settled = (): Promise<void> => new Promise((resolve) => void own.setImmediate(resolve))
  const scheduler: Scheduler = {
    now: () => nowMs,
    get steps() {
      return steps
    },
    get trace() {
      return trace
    },
    after(ms, actor, work) {
      const event = add(ms, actor, work)
      return () => {
        event.isCancelled = true
      }
    },
    sleep: (ms) => new Promise((resolve) => void add(ms, null, resolve)),
    runAs: (actor, work) => owners.run(actor, work),
    current: () => owners.getStore() ?? null,
    async runUntil(isOver, maxSteps) {
      await settled()
      while (!isOver()) {
        const event = events.pop()
        if (!event) throw new Error(`nothing more can happen after ${(nowMs / 1000).toFixed(1)} s`)
        const { actor } = event
        if (event.isCancelled || actor?.isDead) continue
        if (actor && actor.stoppedUntilMs > event.atMs) {
          event.atMs = actor.stoppedUntilMs
          events.push(event)
          continue
        }
        if (++steps > maxSteps) throw new Error(`no end after ${maxSteps} steps and ${(nowMs / 1000).toFixed(1)} s`)
        nowMs = event.atMs
        note(Math.round(nowMs * 1000))
        for (const unit of actor?.name ?? "") note(unit.charCodeAt(0))
        event.run()
        await settled()
      }
    },
    end() {
      for (const name of [
        "setTimeout",
        "setInterval",
        "setImmediate",
        "clearTimeout",
        "clearInterval",
        "clearImmediate",
        "Date",
      ] as const)
        put(globalThis, name, own[name])
      put(performance, "now", own.now)
      put(Math, "random", own.random)
    },
  }
  return scheduler
}

/** What `setTimeout` gives. */
class Timer {
  readonly cancel: () => void
  constructor(cancel: () => void) {
    this.cancel = cancel
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

/** Events by their time, and of the same time the oldest first. */
function createHeap() {
  const heap: Event[] = []
  const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number)
  return {
    push(event: Event): void {
      let at = heap.push(event) - 1
      for (let up = (at - 1) >> 1; at > 0 && isBefore(event, heap[up]!); at = up, up = (at - 1) >> 1) {
        heap[at] = heap[up]!
        heap[up] = event
      }
    },
    pop(): Event | undefined {
      const first = heap[0]
      const last = heap.pop()
      if (!first || !last || first === last) return first
      heap[0] = last
      for (let at = 0, down = 1; down < heap.length; down = 2 * at + 1) {
        if (down + 1 < heap.length && isBefore(heap[down + 1]!, heap[down]!)) down++
        if (isBefore(last, heap[down]!)) break
        heap[at] = heap[down]!
        heap[down] = last
        at = down
      }
      return first
    },
  }
}
