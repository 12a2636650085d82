import type { Turns } from "../../core/interruption.ts"

/** How often a thread that waits for others looks whether it should go on, in milliseconds. */
const lookMs = 100

/** How tasks are shared out between this thread and others. */
export interface SideBySide<Task, Measures, Made> {
  /** How many others there are. */
  readonly threads: number
  /** Measures in this thread. */
  here(task: Task): Promise<Measures>
  /** Measures in another one. */
  there(task: Task): Promise<Measures>
  /** What is left to do in this thread once a task is measured. */
  finish(task: Task, measures: Measures): Promise<Made>
  /** Told why another thread failed: what it had is measured here, and it is given nothing more. */
  failed(error: unknown): void
  /** Called while this thread waits for the others: ends the work. */
  readonly turn: Turns
}

/**
 * Does tasks in several threads, this one among them: whoever is free takes the next. A task fails only if it fails in this thread.
 * @returns what was made, in the order of the tasks
 */
export async function sideBySide<Task, Measures, Made>(
  tasks: readonly Task[],
  options: SideBySide<Task, Measures, Made>,
): Promise<Made[]> {
  const { here, there, finish, turn } = options
  const made = new Map<number, Made>()
  const arrived: [number, Measures][] = []
  const left: number[] = []
  let next = 0
  const take = (): number | null => (next < tasks.length ? next++ : null)
  const doHere = async (i: number): Promise<void> => {
    const task = tasks[i] as Task
    made.set(i, await finish(task, await here(task)))
  }
  const inAnother = async (): Promise<void> => {
    for (let i = take(); i !== null; i = take())
      try {
        arrived.push([i, await there(tasks[i] as Task)])
      } catch (error) {
        left.push(i)
        return options.failed(error)
      }
  }
  const first = take()
  let working = options.threads
  const others = Array.from({ length: options.threads }, () => inAnother().finally(() => working--))
  for (let i = first; i !== null; i = take()) await doHere(i)
  while (working > 0) {
    await Promise.race([Promise.all(others), pause(lookMs)])
    const wait = turn()
    if (wait) await wait
  }
  for (const [i, measures] of arrived) made.set(i, await finish(tasks[i] as Task, measures))
  for (const i of left) await doHere(i)
  return tasks.map((_, i) => made.get(i) as Made)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
