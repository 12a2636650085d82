import { BlockList, isIP } from "node:net"
import type { ProviderSession } from "../../core/provider.ts"
import { readBoundedText, requestInTime } from "../../platform/request-in-time.ts"

const timeoutMs = 2000
const maxBytes = 4_000_000
/** Beside `/v1`; TensorRT-LLM has JSON in the first place and Prometheus' format in the second. */
const paths = ["/metrics", "/prometheus/metrics"]

/**
 * How a session reads its server's `/metrics`: over connections of its own, so that no measured request waits for it. Answers null
 * where there is no such page, one that is too long, or none in time; a place that has none is not asked again.
 *
 * @param headers sent to the endpoint's own origin only
 * @param stated address of the metrics where it is not beside `/v1` (Triton's is port 8002)
 */
export function metricsReader(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  stated?: string,
): NonNullable<ProviderSession["metricsText"]> {
  const { origin } = new URL(baseUrl)
  const mayAsk = stated !== undefined || isNear(new URL(baseUrl).hostname)
  let places = stated === undefined ? paths.map((path) => new URL(path, baseUrl)) : [new URL(stated)]
  return async (signal, isKnown, isUnasked) => {
    if (isUnasked && !mayAsk) return null
    for (const url of places) {
      const text = await readText(url, url.origin === origin ? headers : {}, signal)
      if (text === null || !isKnown(text)) continue
      places = [url]
      return text
    }
    // One that answered before may be busy now; one that never did has no metrics.
    if (places.length > 1) places = []
    return null
  }
}

/** This machine, its network, or a name that only they know: whoever runs a service for others is not asked for pages of its own. */
function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "")
  if (isIP(host) !== 0) return near.check(host, isIP(host) === 6 ? "ipv6" : "ipv4")
  return !host.includes(".") || /\.(local|internal|lan|localhost)$/.test(host)
}

const near = new BlockList()
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  near.addSubnet(network, bits, "ipv4")
near.addAddress("::1", "ipv6")
near.addSubnet("fc00::", 7, "ipv6")

async function readText(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const allHeaders = { ...headers, accept: "text/plain", connection: "close" }
    return await requestInTime(url, { redirect: "error", headers: allHeaders, signal, timeoutMs }, (response) =>
      response.ok ? readBoundedText(response, maxBytes) : null,
    )
  } catch {
    return null
  }
}
