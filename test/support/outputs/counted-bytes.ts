import { expect } from "vitest"

/**
 * Bytes by chance, the same in every run: each test and each size has a count of its own, so that nobody who asks for others changes ids.
 *
 * @param crypto the module itself, in whose place a mock puts this
 * @example vi.mock("node:crypto", async (original) => countedBytes(await original()))
 */
export function countedBytes(crypto: typeof import("node:crypto")): typeof import("node:crypto") {
  const drawn = new Map<string, number>()
  const randomBytes = (size: number): Buffer => {
    const kind = `${size} bytes for ${expect.getState().currentTestName}`
    const number = (drawn.get(kind) ?? 0) + 1
    drawn.set(kind, number)
    return crypto.createHash("shake256", { outputLength: size }).update(`${number}: ${kind}`).digest()
  }
  return { ...crypto, randomBytes: randomBytes as typeof crypto.randomBytes }
}
