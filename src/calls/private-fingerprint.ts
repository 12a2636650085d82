import { createHmac } from "node:crypto"
import { UsageError } from "../core/errors.ts"
import { canonicalJson } from "../core/json.ts"
import type { Provider } from "../core/provider.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Variant } from "../core/variant.ts"

/**
 * A hash of what changes a provider's answers and may be secret, keyed with the store's own key: good for telling two
 * environments apart, useless for finding out what they hold. Null where there is nothing of the kind. The part before the
 * colon tells the key: hashes of two stores cannot be compared.
 */
export function privateFingerprint(provider: Provider, store: Pick<RunStore, "fingerprintKey">): string | null {
  const identity = provider.privateIdentity?.()
  if (identity === undefined) return null
  const key = store.fingerprintKey()
  return `${keyed(key, "store").slice(0, 8)}:${keyed(key, canonicalJson(identity)).slice(0, 32)}`
}

/** @throws {UsageError} when a header, an environment variable or a folder is no longer what it was when the run began here */
export function checkPrivateIdentity(
  record: RunRecord,
  variants: readonly Variant[],
  store: Pick<RunStore, "fingerprintKey">,
): void {
  for (const { name, provider } of variants) {
    const before = record.variants.find((variant) => variant.name === name)?.privateFingerprint ?? null
    const now = privateFingerprint(provider, store)
    if (before === null || now === null || before === now) continue
    // Begun in another store, whose key is not here.
    if (before.split(":")[0] !== now.split(":")[0]) continue
    throw new UsageError("what the model runs with has changed since the run was started", {
      code: "plan_changed",
      where: `variant ${name} of run ${record.id}`,
      hint: "set its environment variables, working directory, headers and address as they were, or start a new run",
    })
  }
}

function keyed(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex")
}
