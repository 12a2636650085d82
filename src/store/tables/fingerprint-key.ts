import { randomBytes } from "node:crypto"
import type { Connection } from "./connection.ts"

/** Where the key stands among the contents: no content has such a key, for theirs are hashes. */
const place = "fingerprint key"

/**
 * The random key of a store, made on first use. What may be secret goes into keys of the store only as a hash with this key, so
 * that an archive or a report of a run does not make it possible to guess it.
 */
export function readFingerprintKey({ sql }: Connection): string {
  const stored = () => sql("SELECT data FROM contents WHERE key = ?").get([place])?.data
  if (!stored())
    sql("INSERT INTO contents (key, data) VALUES (?, ?) ON CONFLICT DO NOTHING").run([place, randomBytes(32)])
  const key = stored()
  return key instanceof Uint8Array ? Buffer.from(key).toString("hex") : String(key)
}
