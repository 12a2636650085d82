import type { StoredMedia } from "../../core/run/run-store.ts"
import type { Connection } from "./connection.ts"

/** Pictures and recordings: the bytes once by their hash, and which data sets show them. */
export function createStoredMedia({ sql, transaction }: Connection): StoredMedia {
  return {
    saveMedia(dataset, sha256, bytes) {
      transaction(() => {
        sql("INSERT INTO media (sha256, data) VALUES (?, ?) ON CONFLICT DO NOTHING").run([sha256, bytes])
        sql("INSERT INTO dataset_media (dataset, sha256) VALUES (?, ?) ON CONFLICT DO NOTHING").run([dataset, sha256])
      })
    },
    hasMedia: (dataset, sha256) =>
      sql("SELECT 1 FROM dataset_media WHERE dataset = ? AND sha256 = ?").get([dataset, sha256]) !== undefined,
    media(sha256) {
      const data = sql("SELECT data FROM media WHERE sha256 = ?").get([sha256])?.data
      return data instanceof Uint8Array ? data : null
    },
    *mediaOf(dataset) {
      for (const [sha256] of sql("SELECT sha256 FROM dataset_media WHERE dataset = ? ORDER BY sha256").all([dataset]))
        yield String(sha256)
    },
  }
}
