import type { WireJob } from "../wire/wire-job.ts"
import { type PackedAnswers, packAnswers } from "./answer-batch.ts"

/** Answers that wait until nothing is under way any more: whoever reads them takes no processor from the thread that stamps. */
export interface KeptAnswers {
  /** Keeps an answer. Beyond the bound, the oldest are handed over. */
  add(job: WireJob): void
  /** All that is kept, in order; none is kept any more. */
  take(): readonly PackedAnswers[]
}

/** So many are packed together: few enough that packing delays no stamp by long. */
const packedTogether = 16

/** Long answers are packed sooner. */
const maxUnpacked = 1024 * 1024

/** Bytes that are kept, stamps included: some fifty thousand short answers. */
const maxBytes = 64 * 1024 * 1024

/**
 * @param handOver takes the oldest answers when more than `most` bytes are kept
 * @param max bytes that are kept
 */
export function createKeptAnswers(handOver: (packed: PackedAnswers) => void, max = maxBytes): KeptAnswers {
  let jobs: WireJob[] = []
  let unpacked = 0
  let packed: PackedAnswers[] = []
  /** Of `packed`: those before it have been handed over. */
  let first = 0
  let bytes = 0

  function pack(): void {
    if (jobs.length === 0) return
    const block = packAnswers(jobs)
    jobs = []
    unpacked = 0
    packed.push(block)
    bytes += sizeOf(block)
    for (; bytes > max && first < packed.length; first++) {
      const oldest = packed[first] as PackedAnswers
      bytes -= sizeOf(oldest)
      packed[first] = noAnswers
      handOver(oldest)
    }
    if (first < maxHoles) return
    packed = packed.slice(first)
    first = 0
  }
  return {
    add(job) {
      jobs.push(job)
      unpacked += job.recording.length
      if (jobs.length >= packedTogether || unpacked > maxUnpacked) pack()
    },
    take() {
      pack()
      const all = packed.slice(first)
      packed = []
      first = 0
      bytes = 0
      return all
    },
  }
}

function sizeOf({ answers }: PackedAnswers): number {
  return answers.numbers.byteLength + answers.bytes.byteLength
}

/** Places of answers that were handed over, before the list is made anew. */
const maxHoles = 1024

const noAnswers: PackedAnswers = {
  answers: { numbers: new Float64Array(0), bytes: new Uint8Array(0), heads: [], rare: new Map() },
  transfer: [],
}
