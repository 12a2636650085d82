import { createHash } from "node:crypto"
import { parametersOf, requestFor } from "../../calls/model-request.ts"
import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { BatchService, OutgoingBatch } from "../../core/batch/batch-service.ts"
import { EvalkitError } from "../../core/errors.ts"
import { contentHash } from "../../core/json.ts"
import { withData } from "../../core/media/message-parts.ts"
import { type Variant, variantFingerprint } from "../../core/variant.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"

/** Calls that are to be one batch, and its key. */
export interface CutBatch extends Pick<BatchRecord, "tag" | "key" | "withheld"> {
  readonly calls: readonly PlannedCall[]
  readonly bytes: number
}

/** Decides what becomes of each call when a batch is cut. */
export interface Cutting {
  /** `left`: not in this batch nor in a later one; `stop`: the batch ends before it. */
  take(call: PlannedCall): Promise<"taken" | "left" | "stop">
  /** The call cannot be written as a request of the service. */
  unwritable(call: PlannedCall, error: unknown): void
}

/**
 * Takes calls until the service's limits are reached. Its lines are made once to be measured and hashed, and made again when they are
 * sent: no batch is in memory as a whole.
 *
 * @param calls an iterator, from which the next batch goes on; the call that did not fit is the first of the next one
 * @returns null when nothing was taken
 */
export async function cutBatch(
  run: RunStage,
  variant: Variant,
  service: BatchService,
  calls: Peekable<PlannedCall>,
  { take, unwritable }: Cutting,
): Promise<CutBatch | null> {
  const { store, record } = run
  const withheld = service.withheld(parametersOf(variant, 0))
  const ordinal = store.batches(record.id).length
  const tag = contentHash({ run: record.id, variant: variantFingerprint(variant), name: variant.name, ordinal }, 12)
  const taken: PlannedCall[] = []
  const hash = createHash("sha256")
  let bytes = 0
  for (let call = calls.peek(); call !== null && taken.length < service.limits.requests; call = calls.peek()) {
    let line: string
    try {
      line = lineOf(run, variant, service, call, `${tag}-${taken.length}`, withheld)
    } catch (error) {
      unwritable(call, error)
      calls.next()
      continue
    }
    const size = Buffer.byteLength(line) + 1
    if (taken.length > 0 && bytes + size > service.limits.bytes) break
    const state = await take(call)
    if (state === "stop") break
    calls.next()
    if (state === "left") continue
    taken.push(call)
    hash.update(line)
    bytes += size
  }
  if (taken.length === 0) return null
  return { tag, key: `${tag}-${hash.digest("hex").slice(0, 20)}`, withheld, calls: taken, bytes }
}

/**
 * A batch as it is sent.
 *
 * @throws {EvalkitError} when its lines are no longer those that its key was made of
 */
export function outgoing(
  run: RunStage,
  variant: Variant,
  service: BatchService,
  batch: Pick<CutBatch, "tag" | "key" | "withheld" | "calls"> & Partial<Pick<CutBatch, "bytes">>,
): OutgoingBatch {
  const { tag, key, withheld, calls } = batch
  function* lines(): Generator<string> {
    const hash = createHash("sha256")
    for (const [index, call] of calls.entries()) {
      const line = lineOf(run, variant, service, call, `${tag}-${index}`, withheld)
      hash.update(line)
      yield line
    }
    if (key !== `${tag}-${hash.digest("hex").slice(0, 20)}`)
      throw new EvalkitError("the requests of a batch are no longer what they were when it was first sent", {
        code: "batch_changed",
        where: `batch ${key} of run ${run.record.id}`,
      })
  }
  const bytes = batch.bytes ?? bytesOf(lines())
  return { key, requests: calls.length, bytes, lines }
}

function bytesOf(lines: Iterable<string>): number {
  let bytes = 0
  for (const line of lines) bytes += Buffer.byteLength(line) + 1
  return bytes
}

/** A call as a line; what cannot be written is thrown by the service. */
function lineOf(
  { store, record }: RunStage,
  variant: Variant,
  service: BatchService,
  call: PlannedCall,
  id: string,
  withheld: readonly string[],
): string {
  const sample = store.sample(record.dataset.fingerprint, call.sampleId)
  if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
  const request = requestFor(variant, sample, call.repeat)
  const messages = withData(request.messages, (sha256) => store.media(sha256))
  return service.line(id, { ...request, messages }, withheld)
}

/** An iterator whose next value can be looked at. */
export interface Peekable<Item> {
  peek(): Item | null
  next(): void
}

/** Makes a {@link Peekable}. */
export function peekable<Item>(items: Iterable<Item>): Peekable<Item> {
  const iterator = items[Symbol.iterator]()
  let current: Item | null | undefined
  return {
    peek() {
      if (current === undefined) {
        const { value, done } = iterator.next()
        current = done ? null : value
      }
      return current
    },
    next() {
      current = undefined
    },
  }
}
