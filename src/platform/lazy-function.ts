import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/**
 * A function that a CommonJS package exports, loaded at its first call: importing evalkit loads none of them.
 *
 * @example const studentQuantile = lazyFunction<(p: number, degrees: number) => number>("@stdlib/stats-base-dists-t-quantile")
 */
export function lazyFunction<Signature extends (...parameters: never[]) => unknown>(packageName: string): Signature {
  let loaded: Signature | undefined
  const call = (...parameters: Parameters<Signature>) => {
    loaded ??= require(packageName) as Signature
    return loaded(...parameters)
  }
  return call as unknown as Signature
}
