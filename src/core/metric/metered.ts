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

/** The most that a service may take for some texts. @public */
export interface ServiceEstimate {
  /** Null where the price is unknown. */
  readonly usd: number | null
  /** 0 where it does not count them. */
  readonly tokens: number
  readonly requests: number
}

/** A service that costs money, and tells of each request as soon as it is answered. @public */
export interface Metered {
  /** The model as the service names it. */
  readonly model?: string
  /** What these texts may take at most, before any of them is sent. Absent: not known beforehand. */
  estimate?(texts: readonly string[]): ServiceEstimate
  /** Sets the listener; null: none any more. */
  onUse(listener: ((use: ServiceUse) => void) | null): void
}

/** How texts come to services that are paid for: embeddings, moderation. @public */
export interface ServiceCaller {
  /**
   * Sends texts once the budget has room for them.
   * @throws what `send` throws, and the signal's reason where the budget has no room
   */
  send<Result>(service: Metered, texts: readonly string[], send: () => Promise<Result>): Promise<Result>
}

/** Whether a service costs money. */
export function isMetered(service: Partial<Metered>): service is Metered {
  return service.onUse !== undefined
}

/** How messages name a service. */
export function serviceName({ model }: Metered): string {
  return model ?? "a service that does not name its model"
}

/** Sends texts to a service; to one that costs money once the budget has room for them. */
export function sendTexts<Result>(
  service: Partial<Metered>,
  texts: readonly string[],
  services: ServiceCaller | undefined,
  send: () => Promise<Result>,
): Promise<Result> {
  return services && isMetered(service) ? services.send(service, texts, send) : send()
}
