import { once } from "node:events"
import type { Writable } from "node:stream"

/** Writes chunks to a stream and waits while it is full. */
export function streamWriter(stream: Writable): (chunk: string | Uint8Array) => Promise<void> {
  return async (chunk) => {
    if (!stream.write(chunk)) await once(stream, "drain")
  }
}
