import { promisify } from "node:util"
import { gzip } from "node:zlib"

const compress = promisify(gzip)

/**
 * A value as gzip + base64 for a data block of the page. The same value gives the same text: the header's fields for time
 * and operating system are fixed.
 */
export function encodeBlock(value: unknown): Promise<string> {
  return encodeJson(JSON.stringify(value))
}

/** The same of a value that is JSON text already. */
export async function encodeJson(text: string): Promise<string> {
  const bytes = await compress(text, { level: 6 })
  bytes.fill(0, 4, 8)
  bytes[9] = 255
  return bytes.toString("base64")
}

/** JSON for a data block: no character that could end the block or start a comment in it. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
