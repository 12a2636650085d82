import { otherSideClosed, WireError } from "../wire-error.ts"

/** By their codes (RFC 9113, section 7). */
const names = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
]

export const [refusedStream, cancelStream, http11Required] = [7, 8, 13]

function nameOf(code: number): string {
  return names[code] ?? `error ${code}`
}

/** A stream was reset, by the server or for what the server sent on it. */
export function streamReset(code: number): WireError {
  return new WireError(`the stream was reset: ${nameOf(code)}`, `HTTP2_${nameOf(code)}`)
}

/** The server ended the connection, and said why where it did (GOAWAY). */
export function connectionEnded(goaway: number | null): WireError {
  if (goaway === null || goaway === 0) return otherSideClosed()
  return new WireError(`the server ended the connection: ${nameOf(goaway)}`, `HTTP2_${nameOf(goaway)}`)
}

/** HTTP/2 was asked for, and the server offers another. */
export function notSpoken(): WireError {
  return new WireError("the server does not speak HTTP/2", "HTTP2_NOT_SPOKEN")
}
