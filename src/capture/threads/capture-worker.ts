import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../../core/clock.ts"
import { messageOf } from "../../core/errors.ts"
import { monitorClient } from "../../perf/client/client-monitor.ts"
import { monotonicOffset } from "../../platform/monotonic-offset.ts"
import { cancelled } from "../cancellation.ts"
import { connectionLost } from "../exchange.ts"
import type { ReadEvents } from "../read-answer.ts"
import { type Origin, readOrigin, writeHead } from "../wire/request-head.ts"
import { createWire, type Wire } from "../wire/wire.ts"
import { WireJob, type WireShape } from "../wire/wire-job.ts"
import { type PackedAnswers, packAnswers } from "./answer-batch.ts"
import { createHeldRequests } from "./held-requests.ts"
import { createKeptAnswers } from "./kept-answers.ts"
import { createOutbox } from "./outbox.ts"
import { countUnderWay } from "./under-way.ts"
import type { RequestBatch, RequestShape, WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/** How long the answer to a request that was held may wait for others: an open loop waits for none. */
const handOverMs = 12

type Endpoint = Extract<WorkerCommand, { kind: "endpoint" }>

/** Where requests go: the connections to it. */
interface Target {
  readonly origin: Origin
  readonly wire: Wire
  /** How its events are read; absent: as OpenAI's. */
  readonly read: ReadEvents | undefined
}

/** A shape with its endpoint; an error where it cannot be written. */
interface Known {
  readonly target: Target
  readonly shape: WireShape | Error
}

/** A request that knows where it goes. */
class CaptureJob extends WireJob {
  readonly target: Target

  constructor(id: number, target: Target, shape: WireShape, body: WireJob["body"]) {
    super(id, shape, body)
    this.target = target
  }

  protected override get read(): ReadEvents | undefined {
    return this.target.read
  }
}

/**
 * The capture thread: an event loop that sends requests, stamps what comes back and does nothing else. Reading, scoring
 * and rendering happen in the thread that asked, whose pauses are not seen here. Sessions of one run share it, each with an endpoint of its own.
 */
const port = parentPort
if (port) {
  const { ended, underWay: shared } = workerData as WorkerSettings
  const offsetMs = monotonicOffset(systemClock)
  const now = () => performance.now() + offsetMs
  const underWay = countUnderWay(shared)
  const held = createHeldRequests((job) => send(job as CaptureJob), underWay)
  const targets = new Map<number, Target>()
  const shapes = new Map<number, Known>()
  const jobs = new Map<number, CaptureJob>()
  let monitor = monitorClient()
  const outbox = createOutbox<WireJob | WorkerReply>(post)
  const kept = createKeptAnswers((packed) => port.postMessage(...repliesOf(packed)))

  function post(messages: readonly (WireJob | WorkerReply)[]): void {
    const answered = messages.filter((message) => message instanceof WireJob)
    const replies = messages.filter((message) => !(message instanceof WireJob))
    if (answered.length === 0) port?.postMessage(replies)
    else {
      const [packedReplies, transfer] = repliesOf(packAnswers(answered))
      port?.postMessage([...packedReplies, ...replies], transfer)
    }
  }

  /** At once when somebody may wait for it, or when nothing comes behind it. */
  function handOver(job: WireJob): void {
    jobs.delete(job.id)
    Atomics.add(ended, 0, 1)
    if (job.isUnderWay) underWay.end()
    const isLast = inFlight() + held.count() === 0
    if (isLast) handOverKept()
    if (!isLast && job.mayWait && isPlain(job)) kept.add(job)
    else outbox.put(job, job.wasHeld && !isLast ? handOverMs : 0, job.recording.length)
    held.ended()
  }
  function inFlight(): number {
    let sum = 0
    for (const { wire } of targets.values()) sum += wire.inFlight
    return sum
  }
  /** Another than these may be a reason to ask again, or to ask otherwise. */
  function isPlain({ interruption, status }: WireJob): boolean {
    return interruption === null && status !== null && status < 400
  }
  function handOverKept(): void {
    for (const packed of kept.take()) port?.postMessage(...repliesOf(packed))
  }

  function capture(batch: RequestBatch): void {
    const { ids, shapes: numbers, sendAtMs, maxInFlight, mayWait, bytes, bodies } = batch
    let used = 0
    for (const [i, id] of ids.entries()) {
      const existing = shapes.get(numbers[i] as number)
      if (existing === undefined) {
        fault(id, "the endpoint is not known")
        continue
      }
      const { target, shape } = existing
      let body = bodies[i] ?? null
      if (typeof body === "number") {
        const end = body
        body = bytes.subarray(used, end)
        used = end
      }
      const job = new CaptureJob(id, target, shape instanceof Error ? noShape : shape, body)
      job.mayWait = mayWait[i] === true
      job.maxInFlight = maxInFlight[i] as number
      jobs.set(id, job)
      const dueMs = sendAtMs[i] as number
      if (shape instanceof Error) target.wire.refuse(job, connectionLost(shape))
      else if (dueMs === Number.NEGATIVE_INFINITY) {
        underWay.begin()
        send(job)
      } else held.hold(job, dueMs, now())
    }
  }
  /** A fault of evalkit's own ends the request that met it, and no other. */
  function send(job: CaptureJob): void {
    job.isUnderWay = true
    try {
      job.target.wire.start(job)
    } catch (error) {
      underWay.end()
      fault(job.id, messageOf(error))
    }
  }
  function fault(id: number, message: string): void {
    jobs.delete(id)
    Atomics.add(ended, 0, 1)
    outbox.put({ kind: "fault", id, message }, 0)
  }
  function cancel(id: number): void {
    const job = jobs.get(id)
    if (job === undefined) return
    const { wire } = job.target
    if (held.takeBack(job)) wire.refuse(job, cancelled)
    else wire.interrupt(job, cancelled)
  }
  function learn(number: number, { endpoint, timeouts, maxAnswerBytes, ...request }: RequestShape): void {
    const target = targets.get(endpoint)
    if (target === undefined) return void shapes.delete(number)
    try {
      shapes.set(number, { target, shape: { head: writeHead(request, target.origin), timeouts, maxAnswerBytes } })
    } catch (error) {
      shapes.set(number, { target, shape: error as Error })
    }
  }
  async function meet({ number, origin: address, proxy, version, reader }: Endpoint): Promise<void> {
    const origin = readOrigin(address, proxy, version)
    const read = reader ? ((await import(reader.url)) as Record<string, ReadEvents>)[reader.name] : undefined
    targets.set(number, { origin, read, wire: await createWire(origin, now, handOver, version) })
  }
  /** None: who asks wants to know when the endpoint is known. */
  async function open(endpoint: number, count: number): Promise<void> {
    if (count > 0) await targets.get(endpoint)?.wire.open(count)
    outbox.put({ kind: "opened" }, 0)
  }
  function leave(endpoint: number): void {
    targets.get(endpoint)?.wire.close()
    targets.delete(endpoint)
  }
  const noShape: WireShape = {
    head: "",
    timeouts: { connectMs: 0, firstTokenMs: 0, gapMs: 0, totalMs: 0 },
    maxAnswerBytes: 0,
  }

  const obey = (command: Exclude<WorkerCommand, Endpoint>): void => {
    if (command.kind === "capture") capture(command.requests)
    else if (command.kind === "shape") learn(command.number, command.shape)
    else if (command.kind === "cancel") cancel(command.id)
    else if (command.kind === "leave") leave(command.endpoint)
    else if (command.kind === "open") void open(command.endpoint, command.count)
    else if (command.kind === "load") {
      outbox.put({ kind: "load", load: monitor.stop() }, 0)
      monitor = monitorClient()
    } else {
      monitor.stop()
      held.close()
      for (const endpoint of [...targets.keys()]) leave(endpoint)
      outbox.flush()
      handOverKept()
      port.close()
    }
  }
  /** Commands in their order: what follows an endpoint waits until it can be reached. */
  let waiting: WorkerCommand[] | null = null
  const obeyAll = (commands: readonly WorkerCommand[]): void => {
    for (const [i, command] of commands.entries()) {
      if (command.kind !== "endpoint") {
        obey(command)
        continue
      }
      waiting = commands.slice(i + 1)
      void meet(command).then(() => {
        const later = waiting ?? []
        waiting = null
        obeyAll(later)
      })
      return
    }
  }
  port.on("message", (commands: readonly WorkerCommand[]) => {
    if (waiting) waiting.push(...commands)
    else obeyAll(commands)
  })
  outbox.put({ kind: "ready" }, 0)
}

/** What is posted of packed answers, and the memory that moves with it. */
function repliesOf({ answers, transfer }: PackedAnswers): [readonly WorkerReply[], readonly ArrayBuffer[]] {
  return [[{ kind: "answers", answers }], transfer]
}
