import { close, open, read, statSync } from "node:fs"
import { freemem } from "node:os"

/** Bytes that are read at a time. */
const chunkBytes = 4_000_000
/** A file from which reading ahead pays; a smaller one is soon in the machine's memory by itself. */
const muchBytes = 256_000_000

/** A file that is being read. */
export interface ReadAhead {
  /** Bytes that were read, once it has ended. */
  readonly ended: Promise<number>
  stop(): void
}

/**
 * Reads a large file once, from its beginning to its end, so that the machine has it in memory for those who read it in another order:
 * of a file on the disk, a million small reads take ten times as long as one large one. It goes on beside other work, never fails,
 * and reads nothing where less than twice as much memory is free.
 *
 * @param fromBytes the size from which a file is read
 */
export function readAhead(path: string, fromBytes: number = muchBytes): ReadAhead {
  let isStopped = false
  return {
    ended: isWorthIt(path, fromBytes) ? readThrough(path, () => isStopped) : Promise.resolve(0),
    stop() {
      isStopped = true
    },
  }
}

function isWorthIt(path: string, fromBytes: number): boolean {
  try {
    const { size } = statSync(path)
    return size >= fromBytes && 2 * size < freemem()
  } catch {
    // Not a file, or not one that may be looked at: whoever reads it says so.
    return false
  }
}

function readThrough(path: string, isStopped: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    open(path, "r", (fault, file) => {
      if (fault) return resolve(0)
      const chunk = Buffer.allocUnsafeSlow(chunkBytes)
      let total = 0
      const next = (): void =>
        read(file, chunk, 0, chunkBytes, null, (fault, bytes) => {
          total += fault ? 0 : bytes
          if (!fault && bytes > 0 && !isStopped()) next()
          else close(file, () => resolve(total))
        })
      next()
    })
  })
}
