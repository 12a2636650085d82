import type { HttpVersion } from "../../core/provider.ts"
import { type Interruption, maxResends, wasClosing } from "../exchange.ts"
import { createHeartbeat } from "../heartbeat.ts"
import { doneGraceMs } from "../stream/stream-end.ts"
import { createDeadlines } from "./deadlines.ts"
import { createSharedConnections } from "./http2/shared-connections.ts"
import { takeRecording } from "./recording.ts"
import type { Origin } from "./request-head.ts"
import { type ConnectionOwner, WireConnection } from "./wire-connection.ts"
import type { WireJob } from "./wire-job.ts"

/** Kept-alive connections to one origin: over HTTP/1.1 as many as there are requests at once, over HTTP/2 shared by many. */
export interface Wire {
  /** Sends a request. Each one ends once, whatever happens. */
  start(job: WireJob): void
  /** Ends a request that was not started. */
  refuse(job: WireJob, interruption: Interruption): void
  /** Ends a request before its time; without effect on one that has ended. */
  interrupt(job: WireJob, interruption: Interruption): void
  /** Opens connections beforehand; resolves when each stands or has failed, or was given up after so many milliseconds (10 s). */
  open(count: number, withinMs?: number): Promise<void>
  /** Requests that have not ended. */
  readonly inFlight: number
  /** Ends everything. */
  close(): void
}

/** Connections that are opened beforehand are waited for so long. */
const maxOpeningMs = 10_000

/** How often connections that were not used for long are closed. */
const pruneMs = 15_000

/**
 * Opens no connection yet.
 *
 * @param now monotonic milliseconds
 * @param onEnd hears of each request that has ended
 * @param version what is spoken
 */
export async function createWire(
  origin: Origin,
  now: () => number,
  onEnd: (job: WireJob) => void,
  version: HttpVersion = "auto",
): Promise<Wire> {
  const heartbeat = createHeartbeat()
  const all = new Set<WireConnection>()
  const jobs = new Set<WireJob>()
  let idle: WireConnection[] = []
  const opening = new Map<WireConnection, () => void>()

  const owner: ConnectionOwner = {
    origin,
    now,
    connectTls: origin.isTls || origin.proxy?.isTls ? (await import("node:tls")).connect : null,
    openTunnel: origin.isTunnelled ? (await import("./tunnel.ts")).openTunnel : null,
    session: undefined,
    handshakeMs: null,
    ended(job, interruption, wasNotBegun = false) {
      if (interruption !== null && isLost(job, interruption, wasNotBegun)) {
        job.lost = [...(job.lost ?? []), { sendMs: job.sendMs, endMs: now(), message: interruption.message }]
        send(job)
      } else finish(job, interruption)
    },
    done(job) {
      setTimeout(() => over(job), doneGraceMs)
    },
    ready(connection) {
      idle.push(connection)
      opening.get(connection)?.()
    },
    closed(connection) {
      all.delete(connection)
      opening.get(connection)?.()
      if (idle.includes(connection)) idle = idle.filter((wireConnection) => wireConnection !== connection)
    },
  }
  const maySpeakHttp2 = version === "2" || (version === "auto" && origin.isTls)
  const shared = maySpeakHttp2
    ? await createSharedConnections(
        owner,
        {
          adopt: (socket, job) => void all.add(new WireConnection(owner, job, socket)),
          place: (waiting) => waiting.forEach(place),
        },
        version === "2",
      )
    : null
  const deadlines = createDeadlines(jobs, now, heartbeat, interrupt, over)
  const pruning = setInterval(() => {
    const atMs = now()
    for (const connection of idle) if (connection.usableUntilMs <= atMs) connection.destroy()
    shared?.prune(atMs)
  }, pruneMs)
  pruning.unref()

  function isLost(job: WireJob, { outcome }: Interruption, wasNotBegun: boolean): boolean {
    const mayGoAgain =
      wasNotBegun || (outcome === "connection" && wasClosing(job, now() - job.sendMs, owner.handshakeMs))
    return mayGoAgain && (job.lost?.length ?? 0) < maxResends
  }
  /** The connection that was used last is the least likely to have been closed meanwhile. */
  function takeIdle(): WireConnection | null {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.usableUntilMs > now()) return connection
      connection.destroy()
    }
    return null
  }
  function send(job: WireJob): void {
    job.startedMs = now()
    job.sendMs = job.startedMs
    job.sent = false
    job.connectMs = null
    place(job)
  }
  function place(job: WireJob): void {
    if (shared?.take(job)) return
    const connection = takeIdle()
    if (connection) connection.send(job)
    else all.add(new WireConnection(owner, job))
  }
  function finish(job: WireJob, interruption: Interruption | null): void {
    if (!jobs.delete(job)) return
    job.endMs = now()
    job.interruption = interruption
    deadlines.ended()
    job.stalledMs = heartbeat.since(job.stalledMs)
    heartbeat.end()
    onEnd(job)
  }
  function over(job: WireJob): void {
    if (!jobs.has(job)) return
    job.connection?.release(job)
    job.connection = null
    finish(job, null)
  }
  function interrupt(job: WireJob, interruption: Interruption): void {
    job.connection?.abandon(job, interruption)
    job.connection = null
    finish(job, interruption)
  }
  return {
    start(job) {
      job.recording = takeRecording()
      job.stalledMs = heartbeat.begin()
      jobs.add(job)
      send(job)
      deadlines.add(job)
    },
    refuse(job, interruption) {
      job.sendMs = now()
      job.endMs = job.sendMs
      job.interruption = interruption
      onEnd(job)
    },
    interrupt,
    async open(count, withinMs = maxOpeningMs) {
      if (await shared?.open(count, withinMs)) return
      const missing = Math.max(0, count - idle.length)
      const opened = Array.from({ length: missing }, () => {
        const connection = new WireConnection(owner, null)
        all.add(connection)
        return new Promise<void>((resolve) => opening.set(connection, resolve)).then(() => opening.delete(connection))
      })
      // What a server does not take in time is opened when a request needs it, whose limits then end it.
      const late = setTimeout(() => {
        for (const connection of [...opening.keys()]) connection.destroy()
      }, withinMs)
      await Promise.all(opened)
      clearTimeout(late)
    },
    get inFlight() {
      return jobs.size
    },
    close() {
      clearInterval(pruning)
      const interruption: Interruption = {
        outcome: "connection",
        message: "The client is destroyed",
        code: "UND_ERR_DESTROYED",
      }
      for (const job of [...jobs]) interrupt(job, interruption)
      for (const connection of [...all]) connection.destroy()
      shared?.close()
    },
  }
}
