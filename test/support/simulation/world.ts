import { createRandom, type Random } from "../../../src/core/random.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import { createBatches, type SimulatedBatches } from "./batches.ts"
import { createDatabase, type SimulatedDatabase, StoreLost } from "./database.ts"
import { decisionOf } from "./decided.ts"
import { createTools, episodeScript, type SimulatedTools } from "./episodes.ts"
import { evaluationsOf } from "./evaluation.ts"
import { sentAgain, takenAgain, violations } from "./invariants.ts"
import { type FaultKind, makePlan, mannersOf, undisturbed, type WorldKind, type WorldPlan } from "./plan.ts"
import { runWorld } from "./processes.ts"
import { createQueue, type SimulatedQueue } from "./queue.ts"
import { type Actor, type Scheduler, startScheduler } from "./scheduler.ts"
import { createService, type SimulatedService } from "./service.ts"

/** What came of a world. */
export interface WorldEnd {
  readonly plan: WorldPlan
  /** Invariants that did not hold, each in words; empty where all did. */
  readonly broken: readonly string[]
  /** What a run that is read several times came to; null where it was not finished, or calls failed for good. */
  readonly decision: string | null
  readonly steps: number
  /** The same for the same seed. */
  readonly trace: number
  readonly seconds: number
  readonly processes: number
  readonly requests: number
  /** Faults that struck, by kind: those that met a process, a statement or a commit. */
  readonly struck: ReadonlyMap<FaultKind, number>
}

/** Everything that a world has. */
export interface World {
  readonly plan: WorldPlan
  /** What is asked in the end; of runs that extend one another the last. */
  readonly evaluation: Evaluation
  readonly stages: readonly Evaluation[]
  readonly scheduler: Scheduler
  readonly random: Random
  readonly database: SimulatedDatabase
  readonly service: SimulatedService
  readonly queue: SimulatedQueue
  readonly batches: SimulatedBatches | null
  readonly tools: SimulatedTools | null
  /** When a process was silent, by process. */
  readonly silences: Map<Actor, readonly { readonly fromMs: number; readonly untilMs: number }[]>
  /** The process is silent for so long from now on, in milliseconds. */
  hurt(actor: Actor, ms: number): void
  readonly broken: string[]
  strike(kind: FaultKind): void
}

/** More events than any run of these sizes needs. */
const maxSteps = 400_000

/** Loads what worlds load as they go: a module that comes from the disk comes at another moment than one that is there. */
export async function warmUp(kind: WorldKind): Promise<void> {
  for (let i = 0; i < 6; i++) await playWorld(`warm ${i}`, kind)
}

/**
 * Plays one world to its end. The same seed plays the same world.
 *
 * @param tell receives what happens, a line each
 */
export async function playWorld(
  seed: number | string,
  kind: WorldKind = "run",
  tell: (line: string) => void = () => {},
): Promise<WorldEnd> {
  const end = await playOnce(seed, kind, false, tell)
  if (end.decision === null) return end
  const { decision } = await playOnce(seed, kind, true, () => {})
  if (decision === end.decision) return end
  return { ...end, broken: [...end.broken, `undisturbed it decides ${decision}, and here ${end.decision}`] }
}

async function playOnce(
  seed: number | string,
  kind: WorldKind,
  isUndisturbed: boolean,
  tell: (line: string) => void,
): Promise<WorldEnd> {
  const random = createRandom(kind === "run" ? `world/${seed}` : `world/${kind}/${seed}`)
  const made = makePlan(kind, random.fork("plan"))
  const plan = isUndisturbed ? undisturbed(made) : made
  const others = process.listeners("unhandledRejection")
  process.removeAllListeners("unhandledRejection")
  const scheduler = startScheduler(random.fork("scheduler"))
  const manners = mannersOf(random.fork("manners"))
  const service = createService(scheduler, random.fork("service"), manners, plan.episode && episodeScript)
  if (isUndisturbed) service.calm()
  const tools = plan.episode ? createTools(plan.episode, { random: random.fork("tools"), service }) : null
  const batches =
    plan.batch === undefined
      ? null
      : createBatches(plan.batch, { scheduler, random: random.fork("batches"), service, manners })
  const struck = new Map<FaultKind, number>()
  const strike = (kind: FaultKind): void => void struck.set(kind, 1 + (struck.get(kind) ?? 0))
  const silences = new Map<Actor, readonly { readonly fromMs: number; readonly untilMs: number }[]>()
  const hurt = (actor: Actor, ms: number): void => {
    const fromMs = scheduler.now()
    silences.set(actor, [...(silences.get(actor) ?? []), { fromMs, untilMs: fromMs + ms }])
  }
  const database = createDatabase(scheduler, random.fork("database"), { strike, hurt })
  try {
    const stages = await evaluationsOf(plan, service, batches, tools)
    const world: World = {
      ...{ plan, scheduler, service, batches, tools, database, strike, hurt, silences, broken: [] },
      ...{ stages, evaluation: stages.at(-1)! },
      random: random.fork("world"),
      queue: createQueue(scheduler, random.fork("queue")),
    }
    const nobodys = (error: unknown): void => {
      // Nothing of a dead process is known to anybody.
      if (error instanceof StoreLost && error.actor.isDead) return
      world.broken.push(`an error that nobody awaited: ${error instanceof Error ? error.stack : String(error)}`)
    }
    process.on("unhandledRejection", nobodys)
    const say = (text: string): void => tell(`${scheduler.now().toFixed(0)} ms ${text}`)
    service.onRequest = (booked) => {
      say(`${booked.actor.name} asks ${booked.model} ${booked.question} ${booked.repeat} ${booked.step ?? ""}`)
      world.broken.push(...sentAgain(world, booked))
    }
    if (batches)
      batches.onTaken = (model, question) => {
        say(`a batch asks ${model} ${question}`)
        world.broken.push(...takenAgain(world, model, question))
      }
    service.onEnd = ({ actor, model, question, repeat, step = "", outcome }) =>
      say(`${actor.name} gets ${model} ${question} ${repeat} ${step}: ${outcome}`)
    const running = runWorld(world, say)
    let isOver = false
    running.then(
      () => {
        isOver = true
      },
      (error: unknown) => {
        world.broken.push(`the world broke: ${error instanceof Error ? error.stack : String(error)}`)
        isOver = true
      },
    )
    await scheduler.runUntil(() => isOver, maxSteps).catch((error: Error) => world.broken.push(error.message))
    const result = isOver ? await running.catch(() => null) : null
    if (result) world.broken.push(...violations(world, result))
    process.off("unhandledRejection", nobodys)
    return {
      ...{
        plan,
        broken: world.broken,
        decision: result && plan.decided ? decisionOf(world, result.result) : null,
        steps: scheduler.steps,
        trace: scheduler.trace,
        seconds: scheduler.now() / 1000,
      },
      processes: result?.processes ?? 0,
      requests: service.books.length,
      struck,
    }
  } finally {
    for (const other of others) process.on("unhandledRejection", other)
    batches?.close()
    database.close()
    scheduler.end()
  }
}
