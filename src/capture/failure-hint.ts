import type { Failure } from "../core/generation.ts"
import type { Outcome } from "../core/outcome.ts"

/** Codes and messages of certificates that Node does not trust. */
const untrusted = /self.signed|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|unable to (?:verify|get)|CERT_UNTRUSTED/

/** Codes of a host that is not reached: where a proxy is needed, these come of going without. */
const unreached = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout_connect/

/** The variables that name a proxy, by the scheme of what is asked. */
const proxyVariables = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY"] } as const

/** What would cure a failure to connect, to be said behind it; empty where it is not known. */
export function connectionHint(
  outcome: Outcome,
  failure: Failure | null,
  origin: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (failure === null || (outcome !== "connection" && outcome !== "timeout_connect")) return ""
  const words = `${failure.code ?? ""} ${failure.message} ${outcome}`
  if (untrusted.test(words))
    return "name the file of the certificate, or of who signed it, in NODE_EXTRA_CA_CERTS, and start evalkit again"
  const variables = origin.startsWith("https:") ? proxyVariables["https:"] : proxyVariables["http:"]
  const proxy = variables.find((name) => environment[name])
  return proxy && unreached.test(words) ? `${proxy} is set, and evalkit goes to models without a proxy` : ""
}
