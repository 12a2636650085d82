import type { Price } from "../../core/cost.ts"
import type { JsonObject } from "../../core/json.ts"

/** What every service with an interface of its own takes. @public */
export interface ServiceOptions {
  readonly model: string
  /** Without the version. Default: the maker's own address. */
  readonly baseUrl?: string
  /** `baseUrl`, as SDKs spell it. */
  readonly baseURL?: string
  /** Environment variable that holds the key; `null` for a gateway without keys. Default: the service's name and `_API_KEY`. */
  readonly apiKeyVariable?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** For reports. Default: the service and the model. */
  readonly label?: string
  readonly price?: Price
  /** Merged into the body of each request, objects member by member. */
  readonly extraBody?: JsonObject
  /** Bytes of one answer that are kept before it counts as malformed. Default 64 MiB. */
  readonly maxAnswerBytes?: number
}
