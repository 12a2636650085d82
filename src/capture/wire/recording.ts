/** Of answers up to this size, the memory is used again for others: 64 MB in all at most. */
const maxKeptBytes = 32 * 1024

/** Recordings that lie ready for others. */
const maxFree = 2048

/** The body of one answer as it came: bytes, where each piece ends, and when it came. Memory is taken once and used again. */
export class Recording {
  bytes: Uint8Array = new Uint8Array(2048)
  /** Bytes that are used. */
  length = 0
  /** Pieces that came. */
  count = 0
  stampsMs: Float64Array = new Float64Array(16)
  ends: Float64Array = new Float64Array(16)

  /** Begins a piece. */
  begin(atMs: number): void {
    if (this.count === this.stampsMs.length) {
      this.stampsMs = grown(this.stampsMs)
      this.ends = grown(this.ends)
    }
    this.stampsMs[this.count] = atMs
    this.ends[this.count++] = this.length
  }

  /** Adds bytes to the last piece. */
  add(from: Uint8Array, start: number, end: number): void {
    const length = this.length + end - start
    if (length > this.bytes.length) {
      const wider = new Uint8Array(Math.max(length, 2 * this.bytes.length))
      wider.set(this.bytes.subarray(0, this.length))
      this.bytes = wider
    }
    // A view costs more than copying what one token needs.
    if (end - start > 512) this.bytes.set(from.subarray(start, end), this.length)
    else for (let at = start, to = this.length; at < end; at++) this.bytes[to++] = from[at] as number
    this.length = length
    this.ends[this.count - 1] = length
  }

  /** The pieces, over the recording's own memory. */
  pieces(): readonly Uint8Array[] {
    return Array.from({ length: this.count }, (_, i) =>
      this.bytes.subarray(i === 0 ? 0 : this.ends[i - 1], this.ends[i] as number),
    )
  }

  clear(): void {
    this.length = 0
    this.count = 0
  }
}

function grown(list: Float64Array): Float64Array {
  const longer = new Float64Array(2 * list.length)
  longer.set(list)
  return longer
}

const free: Recording[] = []

/** Of a request that was not sent. */
export const noRecording = new Recording()

/** An empty recording. */
export function takeRecording(): Recording {
  return free.pop() ?? new Recording()
}

/** Gives a recording back that nobody reads any more. */
export function releaseRecording(recording: Recording): void {
  if (recording === noRecording || recording.bytes.length > maxKeptBytes || free.length >= maxFree) return
  recording.clear()
  free.push(recording)
}
