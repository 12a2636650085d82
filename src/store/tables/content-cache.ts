import type { JsonValue } from "../../core/json.ts"
import type { ContentCache } from "../../core/metric/metric-tools.ts"
import type { Statement } from "./database.ts"
import { insertIfNew } from "./upsert.ts"

/** First byte of a stored value: which of the two kinds follows. */
const kind = { json: 0, bytes: 1 } as const

/** A {@link ContentCache} in the store's `contents` table. */
export function createContentCache(sql: (text: string) => Statement): ContentCache {
  return {
    async get(key) {
      const data = sql("SELECT data FROM contents WHERE key = ?").get([key])?.data
      if (!(data instanceof Uint8Array)) return undefined
      const body = data.slice(1)
      return data[0] === kind.bytes ? body : (JSON.parse(new TextDecoder().decode(body)) as JsonValue)
    },
    async set(key, value) {
      const bytes = value instanceof Uint8Array
      const body = bytes
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : Buffer.from(JSON.stringify(value))
      const data = Buffer.concat([Buffer.from([bytes ? kind.bytes : kind.json]), body])
      // A key is the hash of what it stands for: who comes second brings the same.
      sql(insertIfNew("contents", ["key", "data"])).run([key, data])
    },
  }
}
