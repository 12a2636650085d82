import type { IncomingMessage } from "node:http"
import { ApiError } from "./api-error.ts"

/** Reads a JSON body of at most `limit` bytes; throws 413 for a longer one and 400 for what is not JSON. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new ApiError(413, `the body is longer than ${limit} bytes`, { code: "body_too_large" })
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown
  } catch {
    throw new ApiError(400, "the body is not valid JSON", { code: "invalid_json" })
  }
}
