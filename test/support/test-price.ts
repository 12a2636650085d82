import type { TokenPrice } from "../../src/core/cost.ts"

/** A price per million tokens that stands in no list; a cached prompt has none of its own. */
export function testPrice(inputPerMillion: number, outputPerMillion: number): TokenPrice {
  const source = { source: "test", date: "2026-01-01" }
  return { kind: "tokens", inputPerMillion, cachedInputPerMillion: null, outputPerMillion, ...source }
}
