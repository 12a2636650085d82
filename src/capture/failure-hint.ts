import type { Failure } from "../core/generation.ts"
import type { Outcome } from "../core/outcome.ts"
import { proxyFor } from "../platform/proxy.ts"

/** Codes and messages of certificates that Node does not trust. */
const untrusted = /self.signed|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|unable to (?:verify|get)|CERT_UNTRUSTED/

/** What would cure a failure to connect, to be said behind it; empty where it is not known. */
export function connectionHint(
  outcome: Outcome,
  failure: Failure | null,
  origin: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (failure === null || !/^connection$|^timeout_connect$|^http_/.test(outcome)) return ""
  if (outcome.startsWith("http_") && !/\b407\b/.test(failure.message)) return ""
  const words = `${failure.code ?? ""} ${failure.message}`
  if (untrusted.test(words))
    return "name the file of the certificate, or of who signed it, in NODE_EXTRA_CA_CERTS, and start evalkit again"
  const proxy = proxyFor(origin, environment)
  return proxy ? `asked over the proxy ${proxy.shown}, which ${proxy.variable} names` : ""
}
