import { isFailure } from "../../../src/core/outcome.ts"
import { callId } from "../../../src/core/run/call-id.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { EvaluateResult } from "../../../src/pipeline/evaluate.ts"
import { isOurFault } from "../../../src/rows/rows-of.ts"
import { spentBefore } from "../../../src/run/spent-before.ts"
import { lookFaults, samplesAsked } from "./decided.ts"
import { answersOnRecord, conversationFaults, stepsOnRecord, toolFaults } from "./episode-invariants.ts"
import type { Actor } from "./scheduler.ts"
import { answerOf, type Booked } from "./service.ts"
import type { World } from "./world.ts"

/** What does not hold of a world that has ended, each in words. */
export function violations(world: World, { result }: { readonly result: EvaluateResult }): readonly string[] {
  const { evaluation, service, database, plan } = world
  const { record } = result
  const broken: string[] = []
  const books = [...service.books, ...(world.batches?.books() ?? [])]
  const asked = samplesAsked(world, record.id)
  const store = database.outside
  const runs = result.status === "finished" ? world.stages.length : store.runs().length
  if (store.runs().length !== runs || runs > world.stages.length)
    broken.push(`${store.runs().length} runs are on record`)
  const isLimited = Object.keys(plan.budget).length > 0
  if (result.status !== "finished" && !isLimited) broken.push(`it ended as ${result.status}: ${result.reason}`)
  for (const { name } of evaluation.variants) {
    const planned = (asked?.get(name) ?? plan.samples) * plan.repeats
    const answers = [...store.generations(record.id, name)]
    const ids = new Set(answers.map(callId))
    if (ids.size !== answers.length) broken.push(`${name} has answers twice`)
    if (result.status === "finished" && answers.length !== planned)
      broken.push(`${name} has ${answers.length} answers of ${planned}`)
    for (const answer of answers) {
      if (answer.outcome === "ok" && answer.text !== answerOf(name, answer.sampleId))
        broken.push(`${name} ${answer.sampleId} has the answer "${answer.text}"`)
      if (plan.episode) broken.push(...conversationFaults(world, answer))
      // Of a conversation the user may fail, or its tools, before the variant is asked.
      if (!(plan.episode && isFailure(answer.outcome)) && !books.some((booking) => isOf(booking, name, answer)))
        broken.push(`${name} ${answer.sampleId} was never asked`)
    }
    const counted = answers.filter(({ outcome }) => !isOurFault(outcome)).length
    const right = answers.filter((own) => own.outcome === "ok" && own.text === `answer ${own.sampleId}`).length
    for (const metric of record.metrics) {
      const rows = [...store.rows(record.id, name, metric.name)]
      const keys = new Set(rows.map(({ sampleId, repeat }) => `${sampleId} ${repeat}`))
      if (keys.size !== rows.length) broken.push(`${name} has rows of ${metric.name} twice`)
      if (result.status === "finished" && rows.length !== answers.length)
        broken.push(`${name} has ${rows.length} rows of ${metric.name} for ${answers.length} answers`)
    }
    const figure = result.report?.variants.find((variant) => variant.name === name)?.quality[0]?.figure
    if (result.status === "finished" && (figure?.status !== "known" || Math.abs(figure.value * counted - right) > 1e-6))
      broken.push(`${name}: ${JSON.stringify(figure)} is shown for ${right} of ${counted}`)
  }
  broken.push(
    ...overBudget(world, books),
    ...overLimits(world),
    ...offRecord(world, record),
    ...lostAnswers(world, books, record.id),
  )
  broken.push(...toolFaults(world), ...lookFaults(world, result))
  return broken
}

export function isOf(
  booked: Booked,
  name: string,
  call: { readonly sampleId: string; readonly repeat: number },
): boolean {
  return booked.model === name && booked.question === call.sampleId && booked.repeat === call.repeat
}

/** A process that was silent for so long may have lost what it had in flight to others, in milliseconds. */
const longMs = 3_000

/** Whether it may be lost to others, or on no record: its process died before it was written down, or was silent for long. */
export function wasHurt({ silences, scheduler }: World, { actor, sentMs, endMs }: Booked, minMs = longMs): boolean {
  const times = silences.get(actor) ?? []
  return (
    (actor.isDead && endMs + 5_000 >= Math.min(actor.diedMs, scheduler.now())) ||
    times.some(({ fromMs, untilMs }) => untilMs - fromMs >= minMs && fromMs <= endMs + 5_000 && untilMs >= sentMs)
  )
}

/** A process that ends waits for what it has in flight: it is paid for. What was over its time just now is cut off, and told a moment later. */
export function leftInFlight({ service, scheduler, evaluation }: World, actor: Actor): readonly string[] {
  const sinceMs = scheduler.now() - evaluation.timeouts.totalMs
  return service.books
    .filter((own) => own.actor === actor && own.endMs === Number.POSITIVE_INFINITY && own.sentMs > sinceMs)
    .map((booking) => `${actor.name} ended with a request in flight: ${describe(booking)}`)
}

/** A question whose answer is on record, or that a batch holds, is not asked again. */
export function sentAgain(world: World, booked: Booked): readonly string[] {
  const { evaluation, service, batches } = world
  const { model, question, repeat, step } = booked
  if (!evaluation.variants.some(({ name }) => name === model)) return []
  // Who took the question over does not look again when the other comes back with its answer.
  const call = { sampleId: question, repeat }
  const late = service.books.some((own) => isOf(own, model, call) && own.isDelivered && wasHurt(world, own))
  if (late) return []
  const [run] = world.database.outside.runs()
  const steps = run && step !== undefined ? stepsOnRecord(world, run.id, { variant: model, ...call }) : []
  if (answersOnRecord(steps).some(({ place, isLive }) => isLive && place === step))
    return [`${describe(booked)} was asked again, though its answer is on record`]
  const inBatches = batches?.books().filter((booking) => isOf(booking, model, call)).length ?? 0
  return askedAgain(world, model, call, inBatches, describe(booked))
}

/** A request of a batch that was just taken is in no other one, unless that one's failure is on record. */
export function takenAgain(world: World, model: string, question: string): readonly string[] {
  const call = { sampleId: question, repeat: 0 }
  const inBatches = world.batches?.books().filter((booking) => isOf(booking, model, call)).length ?? 0
  return askedAgain(world, model, call, inBatches - 1, `${model} ${question} in a batch`)
}

function askedAgain(
  { database }: World,
  variant: string,
  call: { readonly sampleId: string; readonly repeat: number },
  inBatches: number,
  what: string,
): readonly string[] {
  const [answer = null] = database.outside
    .runs()
    .flatMap((run) => database.outside.generation(run.id, { variant, ...call }) ?? [])
  if (answer?.outcome === "ok") return [`${what} was asked again, though its answer is on record`]
  // Each batch that holds it has said that nothing came of it.
  const attempts = answer ? 1 + answer.retries.length : 0
  return inBatches > attempts ? [`${what} was asked, though a batch holds it`] : []
}

function describe({ model, question, repeat, step = "", actor, sentMs }: Booked): string {
  return `${model} ${question} ${repeat} ${step} by ${actor.name} at ${sentMs.toFixed(0)} ms`
}

/** What a process was told while it lived is on record, and is not paid for twice. */
function lostAnswers(world: World, all: readonly Booked[], runId: string): readonly string[] {
  const { database, evaluation } = world
  const broken: string[] = []
  const byQuestion = new Map<string, Booked[]>()
  for (const booking of all) {
    const key = `${booking.model}/${booking.question}/${booking.repeat}/${booking.step}`
    byQuestion.set(key, [...(byQuestion.get(key) ?? []), booking])
  }
  for (const books of byQuestion.values()) {
    const delivered = books.filter((booking) => booking.isDelivered && !wasHurt(world, booking))
    const right = delivered.filter(({ outcome }) => outcome === "ok")
    const { model, question: sampleId, repeat, step } = books[0]!
    if (step !== undefined) {
      // A conversation that began anew asked again, and what was paid for before is on record.
      const steps = stepsOnRecord(world, runId, { variant: model, sampleId, repeat })
      const kept = answersOnRecord(steps).filter(({ place }) => place === step).length
      if (right.length > kept)
        broken.push(
          `${right.length} answers were paid for and ${kept} are on record: ${right.map(describe).join(", ")}`,
        )
      continue
    }
    if (right.length > 1) broken.push(`paid twice: ${right.map(describe).join(", ")}`)
    if (!evaluation.variants.some(({ name }) => name === model)) continue
    const answer = database.outside.generation(runId, { variant: model, sampleId, repeat })
    if (right.length > 0 && answer?.outcome !== "ok")
      broken.push(`lost: ${describe(right[0]!)}; ${answer === null ? "nothing" : answer.outcome} is on record`)
    const kept = answer
      ? 1 + answer.retries.length
      : [...database.outside.attempts(runId, { variant: model, sampleId, repeat })].length
    // A failed attempt that the store could not be told of at once is on record later, unless another has answered meanwhile.
    const sure = delivered.filter((booking) => !wasHurt(world, booking, 0))
    if (sure.length > kept)
      broken.push(`${sure.length} answers were delivered and ${kept} are on record: ${sure.map(describe).join(", ")}`)
  }
  return broken
}

/** What was paid for and delivered is on record with its cost, and nothing else is. */
function offRecord(world: World, record: RunRecord): readonly string[] {
  const { service, database, evaluation, plan } = world
  if (plan.batch) return []
  const spent = spentBefore(database.outside, record, evaluation)
  const sure = service.books.filter((booking) => booking.isDelivered && !wasHurt(world, booking, 0))
  const usd = sure.reduce((sum, booking) => sum + (booking.outcome === "ok" ? booking.usd : 0), 0)
  const broken: string[] = []
  if (spent.requests < sure.length)
    broken.push(`${sure.length} requests were answered, ${spent.requests} are on record`)
  if (spent.requests > service.books.length)
    broken.push(`${service.books.length} requests were sent, ${spent.requests} are on record`)
  if (spent.usd < usd - 1e-9) broken.push(`answers of ${usd} USD were delivered, ${spent.usd} USD are on record`)
  return broken
}

/** What was spent is at most the budget and what was in flight as processes were hurt. */
function overBudget(world: World, books: readonly Booked[]): readonly string[] {
  const { plan } = world
  const used = { usd: 0, tokens: 0, requests: 0 }
  const lost = { usd: 0, tokens: 0, requests: 0 }
  for (const booking of books) {
    // A fleet sets aside in the store what may die with a worker; of one process alone nobody knows what died with it.
    const isLost = wasHurt(world, booking) && (plan.workers === 0 || booking.actor.name.startsWith("coordinator"))
    const into = isLost ? [used, lost] : [used]
    for (const sum of into) {
      sum.usd += booking.usd
      sum.tokens += booking.tokens
      sum.requests++
    }
  }
  return (["usd", "tokens", "requests"] as const).flatMap((name) => {
    const max = plan.budget[name]
    return max !== undefined && used[name] > max + lost[name] + 1e-9
      ? [`${used[name]} ${name} were used of ${max}, ${lost[name]} of them lost`]
      : []
  })
}

/** What a variant's limits say; slots of who died or was silent for long are given away, whatever it has in flight. */
function overLimits(world: World): readonly string[] {
  const { plan, service, evaluation } = world
  const broken: string[] = []
  for (const { name } of evaluation.variants) {
    const own = service.books.filter((booking) => booking.model === name && !wasHurt(world, booking))
    const { concurrency } = plan.limits
    if (concurrency === undefined) continue
    for (const booking of own) {
      const atOnce = own.filter((other) => other.sentMs <= booking.sentMs && other.endMs > booking.sentMs).length
      if (atOnce > concurrency)
        broken.push(`${name} has ${atOnce} requests in flight of ${concurrency} at ${booking.sentMs.toFixed(0)} ms`)
    }
  }
  return broken
}
