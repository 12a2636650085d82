/** What ended an exchange: bytes that are no HTTP, or a connection that ended. `code` as undici names it. */
export class WireError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The server ended the connection in the middle of an exchange. */
export function otherSideClosed(): WireError {
  return new WireError("other side closed", "UND_ERR_SOCKET")
}

/** What came is no HTTP/1.1 response. */
export function badResponse(what: string): WireError {
  return new WireError(`the server's answer is not HTTP: ${what}`, "HPE_INVALID")
}

/** What is to be sent is no HTTP/1.1 request. */
export function badRequest(what: string): WireError {
  return new WireError(what, "UND_ERR_INVALID_ARG")
}
