import type { IncomingMessage } from "node:http"
import { ApiError } from "./api-error.ts"

/** Bytes beyond the limit that are read and thrown away, as a multiple of it: who sends more is hung up on. */
const patience = 8

/**
 * Reads a JSON body of at most `limit` bytes; throws 413 for a longer one and 400 for what is not JSON. A body that is too
 * long is read to its end without being kept: a client that is still sending would not hear the answer.
 */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else chunks = []
    if (size > patience * limit) break
  }
  if (size > limit) throw new ApiError(413, `the body is longer than ${limit} bytes`, { code: "body_too_large" })
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown
  } catch {
    throw new ApiError(400, "the body is not valid JSON", { code: "invalid_json" })
  }
}
