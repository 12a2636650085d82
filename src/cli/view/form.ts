import type { IncomingMessage } from "node:http"
import { UsageError } from "../../core/errors.ts"

/** Bytes of a form, at most. */
const maxBytes = 65_536

/**
 * The fields of a form that a page sent.
 *
 * @throws {UsageError} `form_too_large` beyond 64 kB, `form_wrong` for a body that is no form
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!isForm(request))
    throw new UsageError("a form of the page was expected", { code: "form_wrong", where: "the request's body" })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes)
      throw new UsageError("the form is too large", { code: "form_too_large", where: `more than ${maxBytes} bytes` })
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"))
}

/** Whether a request says that its body is a form. */
export function isForm({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")
}

/**
 * A field of a form or an address: undefined when it is absent or empty.
 *
 * @throws {UsageError} `form_wrong` for one of more than `longest` characters
 */
export function field(fields: URLSearchParams, name: string, longest = 200): string | undefined {
  const text = fields.get(name)?.trim()
  if (text === undefined || text === "") return undefined
  if (text.length > longest)
    throw new UsageError(`${name} is too long`, { code: "form_wrong", where: `more than ${longest} characters` })
  return text
}

/**
 * A whole number of a form; undefined when it is absent.
 *
 * @throws {UsageError} `form_wrong` when it is none between `min` and `max`
 */
export function wholeField(fields: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const text = field(fields, name, 20)
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}`, { code: "form_wrong", where: name })
}
