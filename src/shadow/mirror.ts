import { Worker } from "node:worker_threads"
import type { JsonObject } from "../core/json.ts"
import type { Spent } from "../cost/budget.ts"
import { ownModule } from "../platform/own-module.ts"
import { clusterOf, isDrawn } from "./chat-request.ts"
import type { MirrorCommand, MirroredCall, MirrorMessage, MirrorSettings } from "./mirrored-call.ts"
import type { SkipReason } from "./skip-reason.ts"
import type { StopFinding } from "./stop-rule.ts"

/** What came of the mirroring so far. */
export interface MirrorStatus {
  /** Chat requests that came. */
  readonly chats: number
  /** Of these, those of the drawn share. */
  readonly drawn: number
  /** Pairs that are on disk. */
  readonly stored: number
  /** Of these, those whose candidate failed, and how the last one did. */
  readonly failed: number
  readonly lastFailure: string | null
  readonly inFlight: number
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>
  /** What the candidate has spent today (UTC). */
  readonly spent: Spent
  /** What stopped it; null: nothing. */
  readonly stopped: StopFinding | null
}

/** Mirrors a share of requests to the candidate, beside those who wait for the primary. */
export interface Mirror {
  /** Whether a chat request belongs to the share, and to which cluster; null where it does not. */
  draw(body: JsonObject): string | null
  /** Takes a request with the primary's answer. Never throws, never waits. */
  offer(call: Omit<MirroredCall, "id">): void
  /** A drawn request that nothing can come of. */
  skip(reason: SkipReason): void
  status(): MirrorStatus
  /** Sends nothing more, and resolves when what is in flight is stored, or is given up after so many milliseconds. */
  drain(patienceMs: number): Promise<void>
}

/** What a mirror is made of. */
export interface MirrorOptions {
  readonly settings: MirrorSettings
  /** 0..1. */
  readonly share: number
  readonly seed: number
  /** Called once, when the rule has stopped the candidate. */
  onStopped(finding: StopFinding): void
}

/** Bytes of calls that wait for the candidate or are in flight. */
const maxQueueBytes = 64 * 1024 * 1024
/** Time that what is given up has to be noted. */
const noteMs = 2_000

/** Starts the mirror's thread. @throws what opening its files or connections throws */
export async function startMirror({ settings, share, seed, onStopped }: MirrorOptions): Promise<Mirror> {
  const { url, execArgv } = ownModule(import.meta.url, "./mirror-worker")
  const worker = new Worker(url, { workerData: settings, execArgv })
  const skipped: Partial<Record<SkipReason, number>> = {}
  const open = new Map<number, number>()
  const counts = { chats: 0, drawn: 0, stored: 0, failed: 0, lastFailure: null as string | null }
  let spent: Spent = { usd: 0, tokens: 0, requests: 0, minutes: 0 }
  let stopped: StopFinding | null = null
  let queuedBytes = 0
  let lastId = 0
  /** Why nothing more is taken; null: it is. */
  let refusal: SkipReason | null = null

  const skip = (reason: SkipReason): void => {
    skipped[reason] = (skipped[reason] ?? 0) + 1
  }
  const end = (id: number): void => {
    queuedBytes -= open.get(id) ?? 0
    open.delete(id)
  }
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject)
    worker.once("message", (message: MirrorMessage) => message.kind === "ready" && resolve())
  })
  // A thread that dies takes the mirroring with it, and nothing else.
  worker.on("error", () => {})
  void ended.then(() => {
    refusal ??= "mirror_failed"
    for (const id of [...open.keys()]) {
      end(id)
      skip(refusal)
    }
  })
  worker.on("message", (message: MirrorMessage) => {
    if (message.kind === "ended") {
      end(message.id)
      spent = message.spent
      if (message.skipped === null) counts.stored++
      else skip(message.skipped)
    } else if (message.kind === "failed") {
      counts.failed++
      counts.lastFailure = message.failure
    } else if (message.kind === "stopped") {
      refusal = "stopped"
      stopped = message.finding
      onStopped(message.finding)
    }
  })
  const command = (message: MirrorCommand, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer)

  return {
    draw(body) {
      counts.chats++
      const cluster = clusterOf(body)
      if (!isDrawn(cluster, share, seed)) return null
      counts.drawn++
      return cluster
    },
    offer(call) {
      const { primary, body } = call
      const bytes = primary.bytes.length + body.length
      if (refusal !== null) return skip(refusal)
      if (queuedBytes + bytes > maxQueueBytes) return skip("queue_full")
      const id = ++lastId
      open.set(id, bytes)
      queuedBytes += bytes
      command({ kind: "call", call: { ...call, id } }, [primary.bytes.buffer, body.buffer])
    },
    skip,
    status: () => ({ ...counts, inFlight: open.size, skipped: { ...skipped }, spent, stopped }),
    async drain(patienceMs) {
      refusal ??= "ending"
      command({ kind: "drain", isNow: patienceMs <= 0 })
      const giveUp = setTimeout(() => command({ kind: "drain", isNow: true }), patienceMs)
      const kill = setTimeout(() => void worker.terminate(), patienceMs + noteMs)
      await ended
      clearTimeout(giveUp)
      clearTimeout(kill)
    },
  }
}
