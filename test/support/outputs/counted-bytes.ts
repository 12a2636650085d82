/**
 * Bytes by chance, the same in every run: those of each size have a count of their own, so that nobody who asks for others changes ids.
 *
 * @param crypto the module itself, in whose place a mock puts this
 * @example vi.mock("node:crypto", async (original) => countedBytes(await original()))
 */
export function countedBytes(crypto: typeof import("node:crypto")): typeof import("node:crypto") {
  const drawn = new Map<number, number>()
  const randomBytes = (size: number): Buffer => {
    const number = (drawn.get(size) ?? 0) + 1
    drawn.set(size, number)
    return crypto.createHash("shake256", { outputLength: size }).update(`${size} ${number}`).digest()
  }
  return { ...crypto, randomBytes: randomBytes as typeof crypto.randomBytes }
}
