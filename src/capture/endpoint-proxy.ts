import { type HttpProxy, proxyFor } from "../platform/proxy.ts"
import { rememberSecrets } from "../text/secrets.ts"

/** The proxy of an endpoint, by this process' environment; what it wants to be told of us is a secret from here on. */
export function endpointProxy(origin: string): HttpProxy | null {
  const proxy = proxyFor(origin, process.env)
  const encoded = proxy?.authorization?.slice("Basic ".length)
  if (encoded) {
    const password = Buffer.from(encoded, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "")
    rememberSecrets([encoded, password, encodeURIComponent(password)])
  }
  return proxy
}
