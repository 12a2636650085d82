import type { OutgoingBatch } from "../../core/batch/batch-service.ts"

/** The lines of a batch as one JSON list, part by part, with the bytes of all parts. */
export function jsonList(
  head: string,
  batch: OutgoingBatch,
  tail: string,
): { readonly parts: Iterable<string>; readonly bytes: number } {
  function* parts() {
    let before = head
    for (const line of batch.lines()) {
      yield `${before}${line}`
      before = ","
    }
    yield tail
  }
  // A line feed each is counted, of which all but one are commas here.
  const bytes = Buffer.byteLength(head) + batch.bytes - 1 + Buffer.byteLength(tail)
  return { parts: parts(), bytes }
}
