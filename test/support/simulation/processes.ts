import { isOpen } from "../../../src/core/batch/batch-record.ts"
import { systemClock } from "../../../src/core/clock.ts"
import { isFailure } from "../../../src/core/outcome.ts"
import { workOn } from "../../../src/pipeline/distribute/worker.ts"
import { type EvaluateOptions, type EvaluateResult, evaluate } from "../../../src/pipeline/evaluate.ts"
import { StoreLost } from "./database.ts"
import { watchLooks } from "./decided.ts"
import { leftInFlight } from "./invariants.ts"
import { type FaultKind, faultKinds } from "./plan.ts"
import { Actor, wallStartMs } from "./scheduler.ts"
import type { World } from "./world.ts"

/** A process that runs, and how it is asked to end. */
interface Running {
  readonly actor: Actor
  readonly ends: AbortController
}

/** Runs the evaluation to its end, whatever happens to its processes. */
export async function runWorld(
  world: World,
  say: (text: string) => void,
): Promise<{ readonly result: EvaluateResult; readonly processes: number }> {
  const { plan, scheduler, random } = world
  const workers = new Set<Running>()
  let coordinator: Running | null = null
  let processes = 0
  let isOver = false
  const kill = (running: Running | null | undefined): boolean => {
    if (!running) return false
    running.actor.isDead = true
    say(`${running.actor.name} is killed`)
    return true
  }
  const anyone = (): Running | undefined => {
    const all = [...workers, ...(coordinator ? [coordinator] : [])].filter(({ actor }) => !actor.isDead)
    const process = all[random.integer(Math.max(1, all.length))]
    if (process) say(`of ${process.actor.name}`)
    return process
  }
  const worker = (): Running | undefined => [...workers][random.integer(Math.max(1, workers.size))]
  /** A fault of a process, where there is one. */
  const of = (fault: (victim: Running) => void) => (): boolean => {
    const victim = anyone()
    if (victim) fault(victim)
    return victim !== undefined
  }
  /** What each does, and whether it struck; the database says that itself of a statement and of a commit. */
  const faults: Readonly<Record<FaultKind, () => boolean>> = {
    kill: () => kill(worker()),
    killCoordinator: () => kill(coordinator),
    dieInStatement() {
      const victim = anyone()
      if (victim) world.database.dieWithin(victim.actor, random.integer(200))
      return false
    },
    interrupt: of(({ ends }) => ends.abort(new Error("interrupted"))),
    stop: of(({ actor }) => {
      const ms = 1_000 + 12_000 * random.next()
      world.hurt(actor, ms)
      actor.stoppedUntilMs = scheduler.now() + ms
    }),
    cut: of(({ actor }) => {
      const ms = 200 + 9_000 * random.next()
      world.hurt(actor, ms)
      world.database.cut(actor, ms)
    }),
    loseCommit() {
      const victim = anyone()
      if (victim) world.database.cut(victim.actor, 0)
      return false
    },
    queueAway() {
      world.queue.away(500 + 10_000 * random.next())
      return true
    },
    queueForgets: () => world.queue.forget(),
    deliverTwice: () => world.queue.doubleAll(),
    outage() {
      world.service.fail(1_000 + 25_000 * random.next())
      return true
    },
    clockJump: of(({ actor }) => {
      actor.wallOffsetMs += 7_200_000 * (random.next() - 0.5)
    }),
  }
  for (const kind of faultKinds)
    for (let i = 0; i < plan.faults[kind]; i++)
      scheduler.after(plan.withinMs * random.next(), null, () => {
        if (isOver) return
        say(kind)
        if (faults[kind]()) world.strike(kind)
      })
  scheduler.after(plan.withinMs, null, () => world.service.calm())

  const start = (name: string): Running => ({ actor: new Actor(`${name}${++processes}`), ends: new AbortController() })
  const contextOf = ({ actor, ends }: Running) => ({
    ...{
      store: watchLooks(world, world.database.open(actor)),
      clock: systemClock,
      environment: {},
      cacheDirectory: "",
      signal: ends.signal,
    },
  })
  /** Resolves with what the process returned, or null when it died. */
  const lived = <Result>({ actor }: Running, work: () => Promise<Result>): Promise<Result | null> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (actor.isDead) {
          say(`${actor.name} is dead`)
          actor.diedMs = scheduler.now()
          resolve(null)
        } else scheduler.after(100, null, look)
      }
      scheduler.after(100, null, look)
      scheduler
        .runAs(actor, async () => work())
        .then(
          (result) => {
            if (!actor.isDead) say(`${actor.name} ended`)
            if (!actor.isDead) world.broken.push(...leftInFlight(world, actor))
            resolve(actor.isDead ? null : result)
          },
          (error: unknown) => {
            if (!actor.isDead) say(`${actor.name} ended with ${String(error)}`)
            actor.isDead ? resolve(null) : reject(error)
          },
        )
    })
  const employ = async (): Promise<void> => {
    while (!isOver) {
      await scheduler.sleep(3_000 * random.next())
      if (isOver) return
      const running = start("worker")
      workers.add(running)
      await lived(running, () =>
        workOn({
          ...contextOf(running),
          ...{ evaluation: world.evaluation, name: running.actor.name, version: "1", once: false, say() {} },
          consume: (slices, work) => world.queue.consume(running.actor, { slices, work }),
        }),
      ).catch((error: unknown) => world.broken.push(`a worker ended with ${String(error)}`))
      workers.delete(running)
    }
  }
  const employed = Array.from({ length: plan.workers }, employ)
  const { outside } = world.database
  let repeats = plan.batch?.again ?? 0
  const hasFailures = ({ record }: EvaluateResult): boolean =>
    record.variants.some(({ name }) =>
      [...outside.generations(record.id, name)].some(({ outcome }) => isFailure(outcome)),
    )
  let stage = 0
  for (let tries = 0; ; tries++) {
    if (tries > 40 * world.stages.length) throw new Error("the run does not end, however often it is resumed")
    const running = start("coordinator")
    coordinator = running
    const begun = outside.runs().length > stage
    // Who takes up a store knows that nobody else writes to it.
    for (const { id, status } of outside.runs()) if (status === "running") outside.setStatus(id, "stopped", null)
    const options: EvaluateOptions = {
      ...contextOf(running),
      evaluation: world.stages[stage]!,
      facts: {
        id: `run${tries}`,
        startedAt: new Date(wallStartMs + tries).toISOString(),
        versions: {},
        configPath: null,
      },
      ...(begun ? { resume: null } : stage > 0 && { extend: null }),
      ...(plan.decided && !plan.decided.stages && { untilDecided: true }),
      ...(begun && plan.batch && random.next() < plan.batch.cancels && { cancelBatches: true }),
      ...(plan.workers > 0 && {
        distribution: { queue: world.queue.queue(running.actor), version: "1", detach: false },
      }),
    }
    const result = await lived(running, () => evaluate(options)).catch((error: unknown) => {
      const isCalm = scheduler.now() > plan.withinMs + 20_000
      // What it had in flight is lost as at a kill.
      running.actor.isDead = true
      // A lost commit strikes whenever the next one comes.
      if (isCalm && !(error instanceof StoreLost))
        world.broken.push(`a coordinator ended with ${error instanceof Error ? error.stack : String(error)}`)
      return null
    })
    coordinator = null
    const isCalm = scheduler.now() > plan.withinMs + 30_000
    const isSpent = Object.keys(plan.budget).length > 0
    const isLeft = result !== null && outside.batches(result.record.id).some(isOpen)
    const isDone =
      result?.status === "finished" || (result && isCalm && isSpent && !isLeft && !running.ends.signal.aborted)
    if (result?.status === "finished" && stage + 1 < world.stages.length) stage++
    else if (isDone && repeats > 0 && hasFailures(result)) repeats--
    else if (isDone) {
      isOver = true
      for (const { ends } of workers) ends.abort(new Error("done"))
      await Promise.all(employed)
      return { result, processes }
    }
    await scheduler.sleep((plan.batch ? 4 : 1) * 6_000 * random.next())
  }
}
