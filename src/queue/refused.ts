import { messageOf } from "../core/errors.ts"

/** Codes of OpenSSL's and of PostgreSQL's refusals, as Node and `pg` give them. */
const codes: ReadonlySet<string> = new Set([
  "28P01",
  "28000",
  "3D000",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
])

/** Whether a server is there and refuses for good: a password, a right, a certificate. Waiting does not help. */
export function isRefused(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return codes.has(code) || /^(WRONGPASS|NOAUTH|NOPERM)\b/.test(messageOf(error))
}
