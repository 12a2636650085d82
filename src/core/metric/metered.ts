/** One request that a service which metrics use has answered. @public */
export interface ServiceUse {
  /** What it was for: `embeddings text-embedding-3-small`, `moderation omni-moderation-latest`. */
  readonly purpose: string
  /** Tokens that it took; null when the service did not say, or does not count them. */
  readonly tokens: number | null
  /** US dollars; null when the price is unknown. */
  readonly costUsd: number | null
  readonly seconds: number
}

/** A service that costs money, and tells of each request as soon as it is answered. @public */
export interface Metered {
  /** Who is told; null: nobody any more. */
  onUse(listener: ((use: ServiceUse) => void) | null): void
}
