import { decodeChunks } from "../../capture/stream/decode-body.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import { objectOf } from "../fields.ts"

/**
 * The bytes of a body, unpacked where it is packed; null where there is none.
 *
 * @param value text, also as base64, or JSON that the log holds as such
 * @param packed how it is compressed, as `content-encoding` names it; gzip is known without it
 */
export function bodyBytes(value: JsonValue | undefined, isBase64: boolean, packed: string | undefined): Buffer | null {
  if (value === undefined || value === null || value === "" || value === "-") return null
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const bytes = Buffer.from(text, isBase64 && typeof value === "string" ? "base64" : "utf8")
  return Buffer.concat(decodeChunks([bytes], [0], packed).chunks)
}

/** A body that is a JSON object; null for every other one, such as one that was cut off. */
export function bodyObject(bytes: Buffer | null): JsonObject | null {
  return bytes && (objectOf(jsonValue(bytes.toString("utf8"), undefined)) ?? null)
}
