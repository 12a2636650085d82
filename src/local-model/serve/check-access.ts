import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { ApiError } from "./api-error.ts"

/** Who may ask. */
export interface Access {
  /** The name that the server listens on, as it was given. */
  readonly host: string
  /** What clients must send as `Authorization: Bearer …`; null for none. */
  readonly token: string | null
}

/**
 * Turns away what a web page could send through its visitor's browser: a Host that is a foreign name (DNS rebinding), an Origin
 * that is not the server's own, a body that is not declared as JSON (a page may send other types without asking). Programs send no
 * Origin and are not concerned. With a token, every request but `/health` must carry it.
 *
 * @throws ApiError 403, 401 or 415
 */
export function checkAccess(request: IncomingMessage, pathname: string, { host, token }: Access): void {
  const { headers } = request
  const port = request.socket.localPort ?? 0
  const asked = headers.host ?? ""
  if (!isOwnHost(asked, host, port))
    throw new ApiError(403, "the Host header does not name this server", { code: "forbidden_host" })
  if (headers.origin !== undefined && headers.origin !== `http://${asked}`)
    throw new ApiError(403, "requests of other web pages are refused", { code: "forbidden_origin" })
  if (token !== null && pathname !== "/health" && !isToken(headers.authorization, token))
    throw new ApiError(401, "send the server's token as Authorization: Bearer", { code: "invalid_api_key" })
  if (request.method === "POST" && !/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    throw new ApiError(415, "the body must be declared as content-type: application/json", { code: "not_json" })
}

/** An address, `localhost`, or the name that the server was told to listen on; a name that merely leads here is another's. */
function isOwnHost(asked: string, host: string, port: number): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d+))?$/i.exec(asked)
  if (!match) return false
  const [, name = "", givenPort = "80"] = match
  if (Number(givenPort) !== port) return false
  const bare = name.replace(/^\[|\]$/g, "").toLowerCase()
  return isIP(bare) !== 0 || bare === "localhost" || bare === host.toLowerCase()
}

function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`))
}
