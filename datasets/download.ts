import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { EvalkitError, messageOf, UsageError } from "../src/core/errors.ts"
import { temporaryFolder } from "../src/platform/temporary-folder.ts"
import { lookUpPublic, refusePrivateHost } from "./public-address.ts"

/** Bounds of a download. @public */
export interface DownloadLimits {
  /** Largest size in bytes. Default: 4 GiB. */
  readonly maxBytes?: number
  /** Redirects that are followed. Default: 5. */
  readonly maxRedirects?: number
  /** Milliseconds until the headers, and between two pieces of the body. Default: 30,000. */
  readonly timeoutMs?: number
  /** Also from addresses of this machine, of private networks and link-local ones. Default: false. */
  readonly privateAddresses?: boolean
  readonly signal?: AbortSignal
}

/**
 * Streams an http(s) URL into a temporary file, which is removed when the process ends. Every pass over a data set then
 * reads the same bytes. Redirects may not lead from https to http; neither they nor the URL may lead into this machine or a
 * private network, by name or by address, unless `privateAddresses` says so.
 *
 * @param what what is downloaded, for messages
 * @returns the file's path.
 * @throws UsageError for a refused redirect or address, an HTTP error status, or a body over `maxBytes`; EvalkitError when the
 * server cannot be reached or stops sending.
 */
export async function download(url: URL, limits: DownloadLimits = {}, what = "data set"): Promise<string> {
  const { maxBytes = 4 * 2 ** 30, maxRedirects = 5, timeoutMs = 30_000, privateAddresses = false, signal } = limits
  const get = await fetchWith(privateAddresses)
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener("abort", onAbort, { once: true })
  let timer = setTimeout(() => {}, 0)
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stop.abort(new Error(`no data for ${timeoutMs} ms`)), timeoutMs)
  }
  try {
    restart()
    const response = await follow(url, maxRedirects, stop.signal, get)
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      throw new UsageError(`the server answered ${response.status}`, { code: "download", where: shownUrl(url) })
    }
    const folder = await temporaryFolder()
    const path = join(folder, "data")
    await pipeline(bounded(response.body, maxBytes, url, restart, what), createWriteStream(path), {
      signal: stop.signal,
    })
    return path
  } catch (error) {
    if (error instanceof EvalkitError) throw error
    if (error instanceof Error && error.cause instanceof EvalkitError) throw error.cause
    const reason = stop.signal.aborted ? stop.signal.reason : error instanceof Error ? (error.cause ?? error) : error
    throw new EvalkitError(`the ${what} cannot be downloaded: ${messageOf(reason)}`, {
      code: "download",
      where: shownUrl(url),
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}

/** A URL without its query, user and password: what may be shown and stored. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

type Get = (url: URL, signal: AbortSignal) => Promise<Response>

/** A fetch that follows no redirect, and connects to public addresses only unless it may connect anywhere. */
async function fetchWith(privateAddresses: boolean): Promise<Get> {
  if (privateAddresses) return (url, signal) => fetch(url, { redirect: "manual", signal })
  const { Agent, fetch: fetchOver } = await import("undici")
  const dispatcher = new Agent({ connect: { lookup: lookUpPublic } })
  return async (url, signal) => {
    refusePrivateHost(url)
    return (await fetchOver(url, { redirect: "manual", signal, dispatcher })) as unknown as Response
  }
}

async function follow(url: URL, redirectsLeft: number, signal: AbortSignal, get: Get): Promise<Response> {
  const response = await get(url, signal)
  const location = response.headers.get("location")
  if (response.status < 300 || response.status > 399 || location === null) return response
  await response.body?.cancel()
  const next = new URL(location, url)
  const allowed = next.protocol === "https:" || (next.protocol === "http:" && url.protocol === "http:")
  if (redirectsLeft === 0 || !allowed)
    throw new UsageError(allowed ? "Too many redirects" : `A redirect to ${next.protocol} is refused`, {
      code: "download",
      where: shownUrl(url),
    })
  return follow(next, redirectsLeft - 1, signal, get)
}

async function* bounded(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  url: URL,
  onData: () => void,
  what: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    onData()
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new UsageError(`the ${what} is larger than ${maxBytes} bytes`, { code: "download", where: shownUrl(url) })
    yield chunk
  }
}
