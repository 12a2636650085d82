import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../../core/clock.ts"
import { messageOf } from "../../core/errors.ts"
import { monitorClient } from "../../perf/client/client-monitor.ts"
import { monotonicOffset } from "../../platform/monotonic-offset.ts"
import { cancelled } from "../cancellation.ts"
import { connectionLost } from "../exchange.ts"
import { readOrigin, writeHead } from "../wire/request-head.ts"
import { createWire } from "../wire/wire.ts"
import { WireJob, type WireShape } from "../wire/wire-job.ts"
import { type PackedAnswers, packAnswers } from "./answer-batch.ts"
import { createHeldRequests } from "./held-requests.ts"
import { createKeptAnswers } from "./kept-answers.ts"
import { createOutbox } from "./outbox.ts"
import { countUnderWay } from "./under-way.ts"
import type { RequestBatch, RequestShape, WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/** How long the answer to a request that was held may wait for others: an open loop waits for none. */
const handOverMs = 12

/**
 * The capture thread: an event loop that sends requests, stamps what comes back and does nothing else. Reading, scoring
 * and rendering happen in the thread that asked, whose pauses are not seen here.
 */
const port = parentPort
if (port) {
  const { origin: address, version, ended, underWay: shared } = workerData as WorkerSettings
  const offsetMs = monotonicOffset(systemClock)
  const now = () => performance.now() + offsetMs
  const origin = readOrigin(address)
  const underWay = countUnderWay(shared)
  const held = createHeldRequests(send, underWay)
  const shapes = new Map<number, WireShape | Error>()
  const jobs = new Map<number, WireJob>()
  let monitor = monitorClient()
  const outbox = createOutbox<WireJob | WorkerReply>(post)
  const kept = createKeptAnswers((packed) => port.postMessage(...repliesOf(packed)))
  const wire = await createWire(origin, now, handOver, version)

  function post(messages: readonly (WireJob | WorkerReply)[]): void {
    const answered = messages.filter((one) => one instanceof WireJob)
    const replies = messages.filter((one) => !(one instanceof WireJob))
    if (answered.length === 0) port?.postMessage(replies)
    else {
      const [given, transfer] = repliesOf(packAnswers(answered))
      port?.postMessage([...given, ...replies], transfer)
    }
  }

  /** At once when somebody may wait for it, or when nothing comes behind it. */
  function handOver(job: WireJob): void {
    jobs.delete(job.id)
    Atomics.add(ended, 0, 1)
    if (job.isUnderWay) underWay.end()
    const isLast = wire.inFlight + held.count() === 0
    if (isLast) handOverKept()
    if (!isLast && job.mayWait && isPlain(job)) kept.add(job)
    else outbox.put(job, job.wasHeld && !isLast ? handOverMs : 0, job.recording.length)
    held.ended()
  }
  /** Another than these may be a reason to ask again, or to ask otherwise. */
  function isPlain({ interruption, status }: WireJob): boolean {
    return interruption === null && status !== null && status < 400
  }
  function handOverKept(): void {
    for (const packed of kept.take()) port?.postMessage(...repliesOf(packed))
  }

  function capture(batch: RequestBatch): void {
    const { ids, shapes: numbers, sendAtMs, mostUnderWay, mayWait, bytes, bodies } = batch
    let used = 0
    for (const [i, id] of ids.entries()) {
      const shape = shapes.get(numbers[i] as number)
      let body = bodies[i] ?? null
      if (typeof body === "number") {
        const end = body
        body = bytes.subarray(used, end)
        used = end
      }
      const job = new WireJob(id, shape instanceof Error || shape === undefined ? noShape : shape, body)
      job.mayWait = mayWait[i] === true
      job.mostUnderWay = mostUnderWay[i] as number
      jobs.set(id, job)
      const dueMs = sendAtMs[i] as number
      if (shape === undefined || shape instanceof Error)
        wire.refuse(job, connectionLost(shape ?? new Error("unknown shape")))
      else if (dueMs === Number.NEGATIVE_INFINITY) {
        underWay.begin()
        send(job)
      } else held.hold(job, dueMs, now())
    }
  }
  /** A fault of evalkit's own ends the request that met it, and no other. */
  function send(job: WireJob): void {
    job.isUnderWay = true
    try {
      wire.start(job)
    } catch (error) {
      underWay.end()
      jobs.delete(job.id)
      Atomics.add(ended, 0, 1)
      outbox.put({ kind: "fault", id: job.id, message: messageOf(error) }, 0)
    }
  }
  function cancel(id: number): void {
    const job = jobs.get(id)
    if (job === undefined) return
    if (held.takeBack(job)) wire.refuse(job, cancelled)
    else wire.interrupt(job, cancelled)
  }
  function learn(number: number, { timeouts, maxAnswerBytes, ...request }: RequestShape): void {
    try {
      shapes.set(number, { head: writeHead(request, origin), timeouts, maxAnswerBytes })
    } catch (error) {
      shapes.set(number, error as Error)
    }
  }
  const noShape: WireShape = {
    head: "",
    timeouts: { connectMs: 0, firstTokenMs: 0, gapMs: 0, totalMs: 0 },
    maxAnswerBytes: 0,
  }

  const obey = (command: WorkerCommand): void => {
    if (command.kind === "capture") capture(command.requests)
    else if (command.kind === "shape") learn(command.number, command.shape)
    else if (command.kind === "cancel") cancel(command.id)
    else if (command.kind === "open") void wire.open(command.count).then(() => outbox.put({ kind: "opened" }, 0))
    else if (command.kind === "load") {
      outbox.put({ kind: "load", load: monitor.stop() }, 0)
      monitor = monitorClient()
    } else {
      monitor.stop()
      held.close()
      wire.close()
      outbox.flush()
      handOverKept()
      port.close()
    }
  }
  port.on("message", (commands: readonly WorkerCommand[]) => {
    for (const command of commands) obey(command)
  })
  outbox.put({ kind: "ready" }, 0)
}

/** What is posted of packed answers, and the memory that moves with it. */
function repliesOf({ answers, transfer }: PackedAnswers): [readonly WorkerReply[], readonly ArrayBuffer[]] {
  return [[{ kind: "answers", answers }], transfer]
}
