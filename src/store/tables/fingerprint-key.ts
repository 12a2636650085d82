import { randomBytes } from "node:crypto"
import type { Connection } from "./connection.ts"

/** The name of the key among what only those may read who make runs. */
const place = "fingerprint key"

/**
 * The random key of a store, made on first use. What may be secret goes into keys of the store only as a hash with this key, so
 * that an archive or a report of a run does not make it possible to guess it.
 */
export function readFingerprintKey({ sql }: Connection): string {
  const stored = () => sql("SELECT data FROM secrets WHERE name = ?").get([place])?.data
  if (!stored())
    sql("INSERT INTO secrets (name, data) VALUES (?, ?) ON CONFLICT DO NOTHING").run([place, randomBytes(32)])
  const key = stored()
  return key instanceof Uint8Array ? Buffer.from(key).toString("hex") : String(key)
}
