import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Who may look at the pages of `evalkit view`. */
export interface ViewAccess {
  /**
   * What a request is allowed: `ok`; `first`, the visit of an address with the right token, which is answered with the cookie; `refused`,
   * which learns nothing else, and may send the token in a form; or `foreign`, another page's or for another host, which may not.
   */
  judge(request: IncomingMessage, url: URL): "ok" | "first" | "refused" | "foreign"
  /** Whether somebody typed the token. */
  isToken(value: string | null): boolean
  /** The header that gives a browser the cookie. It holds no token, but what is made of one. */
  cookie(): string
  /** What every form carries, so that no other page can send it. */
  readonly formToken: string
  isFormToken(value: string | null): boolean
}

/** Options of {@link createViewAccess}. */
export interface AccessOptions {
  readonly token: string
  /** Whether only this machine can reach the server: then the Host header must be the loopback address. */
  readonly loopback: boolean
  port(): number
}

/**
 * Access by a token: as `Authorization: Bearer`, as a cookie, or once in an address. Texts are compared in constant time. On the loopback
 * interface the Host header must be its own (against DNS rebinding); an Origin header, if any, must be that of the Host.
 */
export function createViewAccess({ token, loopback, port }: AccessOptions): ViewAccess {
  // Whoever restarts the server keeps their cookie where the token stays; forms are of one process.
  const cookieValue = createHmac("sha256", token).update("evalkit view cookie").digest("base64url")
  const formToken = createHmac("sha256", randomBytes(32)).update("form").digest("base64url")
  const cookieName = () => `evalkit_view_${port()}`
  return {
    formToken,
    isToken: (value) => value !== null && isEqual(value.trim(), token),
    isFormToken: (value) => value !== null && isEqual(value, formToken),
    cookie: () => `${cookieName()}=${cookieValue}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`,
    judge(request, url) {
      const { host, origin, authorization } = request.headers
      if (host === undefined || (loopback && !isLoopbackHost(host, port()))) return "foreign"
      // A page without referrers sends its own forms with the origin `null`; a browser may say beside it whose they are.
      const isOwnForm = origin === "null" && request.headers["sec-fetch-site"] === "same-origin"
      if (origin !== undefined && !isOwnForm && !isOriginOf(origin, host)) return "foreign"
      const bearer = authorization?.startsWith("Bearer ") ? authorization.slice("Bearer ".length).trim() : null
      if (bearer !== null) return isEqual(bearer, token) ? "ok" : "refused"
      const value = url.searchParams.get("token")
      if (value !== null) return isEqual(value, token) ? "first" : "refused"
      const cookie = cookieOf(request.headers.cookie ?? "", cookieName())
      return cookie !== null && isEqual(cookie, cookieValue) ? "ok" : "refused"
    },
  }
}

/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

function isLoopbackHost(host: string, port: number): boolean {
  const name = host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : port === 80 ? host : ""
  return isLoopback(name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name)
}

function isOriginOf(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

function cookieOf(header: string, name: string): string | null {
  for (const part of header.slice(0, 8192).split(";")) {
    const text = part.trim()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1)
  }
  return null
}

/** In a time that says nothing of either text, not even its length. */
function isEqual(value: string, expected: string): boolean {
  const [a, b] = [value, expected].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
