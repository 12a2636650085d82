import { inline } from "../../../datasets/inline.ts"
import { custom } from "../../../metrics/custom.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { systemClock } from "../../../src/core/clock.ts"
import { unscored } from "../../../src/core/metric/metric.ts"
import type { Provider } from "../../../src/core/provider.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import { workOn } from "../../../src/pipeline/distribute/worker.ts"
import { type EvaluateOptions, type EvaluateResult, evaluate } from "../../../src/pipeline/evaluate.ts"
import { createDatabase, type SimulatedDatabase, StoreLost } from "./database.ts"
import { sentAgain, violations } from "./invariants.ts"
import { createQueue, type SimulatedQueue } from "./queue.ts"
import { Actor, type Scheduler, startScheduler } from "./scheduler.ts"
import { createService, maxTokens, price, type SimulatedService } from "./service.ts"

/** What a seed makes of a world. */
export interface WorldPlan {
  readonly samples: number
  readonly repeats: number
  readonly concurrency: number
  /** 0: one process does it all. */
  readonly workers: number
  readonly budget: { readonly usd?: number; readonly requests?: number; readonly tokens?: number }
  readonly limits: {
    readonly concurrency?: number
    readonly requestsPerMinute?: number
    readonly tokensPerMinute?: number
  }
  readonly isJudged: boolean
  readonly retries: number
  /** How many of each fault, within the first so many milliseconds. */
  readonly faults: Readonly<Record<FaultKind, number>>
  readonly withinMs: number
}

export type FaultKind = (typeof faultKinds)[number]
const faultKinds = [
  "kill",
  "killCoordinator",
  "dieInStatement",
  "interrupt",
  "stop",
  "cut",
  "loseCommit",
  "queueAway",
  "queueForgets",
  "deliverTwice",
  "clockJump",
  "outage",
] as const

/** What came of a world. */
export interface WorldEnd {
  readonly plan: WorldPlan
  /** Invariants that did not hold, each in words; empty where all did. */
  readonly broken: readonly string[]
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
  readonly evaluation: Evaluation
  readonly scheduler: Scheduler
  readonly random: Random
  readonly database: SimulatedDatabase
  readonly service: SimulatedService
  readonly queue: SimulatedQueue
  /** When a process was silent, by process. */
  readonly hurt: Map<Actor, readonly { readonly fromMs: number; readonly untilMs: number }[]>
  readonly broken: string[]
  strike(kind: FaultKind): void
}

/** More events than any run of these sizes needs. */
const maxSteps = 400_000

/** Loads what worlds load as they go: a module that comes from the disk comes at another moment than one that is there. */
export async function warmUp(): Promise<void> {
  for (let i = 0; i < 6; i++) await playWorld(`warm ${i}`)
}

/**
 * Plays one world to its end. The same seed plays the same world.
 *
 * @param tell receives what happens, a line each
 */
export async function playWorld(seed: number | string, tell: (line: string) => void = () => {}): Promise<WorldEnd> {
  const random = createRandom(`world/${seed}`)
  const plan = makePlan(random.fork("plan"))
  const others = process.listeners("unhandledRejection")
  process.removeAllListeners("unhandledRejection")
  const scheduler = startScheduler(random.fork("scheduler"))
  try {
    const service = createService(scheduler, random.fork("service"), mannersOf(random.fork("manners")))
    const struck = new Map<FaultKind, number>()
    const strike = (kind: FaultKind): void => void struck.set(kind, 1 + (struck.get(kind) ?? 0))
    const world: World = {
      ...{ plan, scheduler, service, strike, broken: [], hurt: new Map() },
      evaluation: await validateConfig({
        name: "world",
        dataset: inline(
          Array.from({ length: plan.samples }, (_, i) => ({
            id: `s${i}`,
            input: `ask s${i}`,
            reference: `answer s${i}`,
          })),
        ),
        variants: ["a", "b"].map((name) => ({
          ...{ name, provider: service.provider(name), price, limits: plan.limits, parameters: { maxTokens } },
        })),
        metrics: [exactMatch(), ...(plan.isJudged ? [judged(service.provider("judge"))] : [])],
        seed: 7,
        repeats: plan.repeats,
        concurrency: plan.concurrency,
        budget: plan.budget,
        retry: { retries: plan.retries, baseDelayMs: 200, maxDelayMs: 2_000 },
        timeouts: { connectMs: 1_000, firstTokenMs: 8_000, gapMs: 8_000, totalMs: 10_000 },
      } as never),
      random: random.fork("world"),
      database: createDatabase(scheduler, random.fork("database"), strike),
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
      say(`${booked.actor.name} asks ${booked.model} ${booked.question} ${booked.repeat}`)
      world.broken.push(...sentAgain(world, booked))
    }
    service.onEnd = ({ actor, model, question, repeat, outcome }) =>
      say(`${actor.name} gets ${model} ${question} ${repeat}: ${outcome}`)
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
    scheduler.end()
  }
}

function makePlan(random: Random): WorldPlan {
  const one = <T>(...choices: readonly T[]): T => choices[random.integer(choices.length)]!
  const samples = 8 + random.integer(40)
  const repeats = one(1, 1, 2)
  const calls = 2 * samples * repeats
  const share = 0.3 + random.next()
  const workers = one(0, 1, 2, 3)
  const some = (most: number) => random.integer(most + 1)
  const isFleet = workers > 0
  return {
    ...{ samples, repeats, workers },
    concurrency: 1 + random.integer(6),
    budget: one(
      {},
      {},
      { requests: Math.ceil(calls * share) },
      { usd: calls * share * 0.04 },
      { tokens: Math.ceil(calls * share * 25) },
    ),
    limits: one({}, {}, { concurrency: 2 }, { requestsPerMinute: 300 }, { tokensPerMinute: 6_000 }),
    isJudged: one(true, false),
    retries: random.integer(4),
    withinMs: 3_000 + 40_000 * random.next(),
    faults: {
      kill: isFleet ? some(4) : 0,
      killCoordinator: some(3),
      dieInStatement: some(3),
      interrupt: some(2),
      stop: some(2),
      cut: isFleet ? some(3) : 0,
      loseCommit: isFleet ? some(3) : 0,
      queueAway: isFleet ? some(2) : 0,
      queueForgets: isFleet ? some(2) : 0,
      deliverTwice: isFleet ? some(3) : 0,
      clockJump: some(2),
      outage: some(1),
    },
  }
}

/** A metric whose judge repeats the answer that it is asked about. */
function judged(judge: Provider) {
  return custom({
    name: "judged",
    direction: "higher",
    asks: [judge],
    async measure(sample, generation, { models }) {
      const text = `${sample.id} ${generation.variant} ${generation.repeat}`
      const request = { messages: [{ role: "user" as const, content: text }], parameters: { maxTokens } }
      const { outcome, text: said } = await models.call(judge, request, "judge:judge")
      return outcome === "ok" ? Number(said === text) : unscored("judge_failed", outcome)
    },
  })
}

function mannersOf(random: Random) {
  const share = () => (random.next() < 0.5 ? 0 : 0.15 * random.next())
  return {
    meanMs: 50 + 900 * random.next(),
    ...{ rateLimited: share(), error: share(), dropped: share(), brokenOff: share(), silent: share() / 3 },
  }
}

/** A process that runs, and how it is asked to end. */
interface Running {
  readonly actor: Actor
  readonly ends: AbortController
}

/** Runs the evaluation to its end, whatever happens to its processes. */
async function runWorld(
  world: World,
  say: (text: string) => void,
): Promise<{ readonly result: EvaluateResult; readonly processes: number }> {
  const { plan, scheduler, random } = world
  const workers = new Set<Running>()
  let coordinator: Running | null = null
  let processes = 0
  let isOver = false
  const hurt = (actor: Actor, ms: number): void => {
    const untilMs = scheduler.now() + ms
    world.hurt.set(actor, [...(world.hurt.get(actor) ?? []), { fromMs: scheduler.now(), untilMs }])
  }
  const kill = (running: Running | null | undefined): boolean => {
    if (!running) return false
    running.actor.isDead = true
    say(`${running.actor.name} is killed`)
    return true
  }
  const anyone = (): Running | undefined => {
    const all = [...workers, ...(coordinator ? [coordinator] : [])].filter(({ actor }) => !actor.isDead)
    const one = all[random.integer(Math.max(1, all.length))]
    if (one) say(`of ${one.actor.name}`)
    return one
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
      hurt(actor, ms)
      actor.stoppedUntilMs = scheduler.now() + ms
    }),
    cut: of(({ actor }) => {
      const ms = 200 + 9_000 * random.next()
      hurt(actor, ms)
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
      store: world.database.open(actor),
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
          resolve(null)
        } else scheduler.after(100, null, look)
      }
      scheduler.after(100, null, look)
      scheduler
        .runAs(actor, async () => work())
        .then(
          (result) => {
            if (!actor.isDead) say(`${actor.name} ended`)
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
  for (let tries = 0; ; tries++) {
    if (tries > 40) throw new Error("the run does not end, however often it is resumed")
    const running = start("coordinator")
    coordinator = running
    const begun = outside.runs().length > 0
    // Who takes up a store knows that nobody else writes to it.
    for (const { id, status } of outside.runs()) if (status === "running") outside.setStatus(id, "stopped", null)
    const options: EvaluateOptions = {
      ...contextOf(running),
      evaluation: world.evaluation,
      facts: { id: `run${tries}`, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
      ...(begun && { resume: null }),
      ...(plan.workers > 0 && {
        distribution: { queue: world.queue.queue(running.actor), version: "1", detach: false },
      }),
    }
    const result = await lived(running, () => evaluate(options)).catch((error: unknown) => {
      const isCalm = scheduler.now() > plan.withinMs + 20_000
      // What it had in flight is lost as at a kill.
      running.actor.isDead = true
      if (isCalm) world.broken.push(`a coordinator ended with ${error instanceof Error ? error.stack : String(error)}`)
      return null
    })
    coordinator = null
    const isCalm = scheduler.now() > plan.withinMs + 30_000
    const isSpent = Object.keys(plan.budget).length > 0
    if (result && (result.status === "finished" || (isCalm && isSpent && !running.ends.signal.aborted))) {
      isOver = true
      for (const { ends } of workers) ends.abort(new Error("done"))
      await Promise.all(employed)
      return { result, processes }
    }
    await scheduler.sleep(6_000 * random.next())
  }
}
