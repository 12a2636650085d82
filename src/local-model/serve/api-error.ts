/** What an OpenAI-compatible client is told when a request cannot be served. */
export class ApiError extends Error {
  readonly status: number
  /** OpenAI's class of error: `invalid_request_error`, `server_error`, `rate_limit_error`. */
  readonly type: string
  /** The field of the body that is wrong, such as `messages[0].content`. */
  readonly param: string | null
  readonly code: string | null
  /** Seconds after which it is worth trying again. */
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    message: string,
    facts: { readonly param?: string; readonly code?: string; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.name = "ApiError"
    this.status = status
    this.type = status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error"
    this.param = facts.param ?? null
    this.code = facts.code ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }

  /** The body that OpenAI's clients parse. */
  body(): { error: { message: string; type: string; param: string | null; code: string | null } } {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } }
  }
}
