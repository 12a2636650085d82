import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The energy counters of the processors, as Linux shows them. */
export interface RaplReader {
  /** Joules since the reader was made, all packages together; null when a counter cannot be read any more. */
  joules(): number | null
}

/** Where Linux shows them; another root for tests and containers in the variable `EVALKIT_POWERCAP`. */
export const powercapRoot = "/sys/class/powercap"

/**
 * Opens the package counters of RAPL: `intel-rapl:N` (AMD's too), not their parts (core, uncore), which are inside, nor the whole platform's
 * (`psys`), which they are inside of. A counter that falls has begun anew at its stated range; where that would be more than any processor
 * draws, it was set back, and nothing is known from then on. Since 2020 only root may read them (CVE-2020-8694).
 *
 * @param now milliseconds of a monotonic clock
 * @returns why there is none, as a sentence's end
 */
export function openRapl(root: string, now = () => performance.now()): RaplReader | { readonly reason: string } {
  let names: readonly string[]
  try {
    names = readdirSync(root).filter((name) => /^intel-rapl:\d+$/.test(name) && isPackage(join(root, name)))
  } catch {
    return { reason: "the system shows no energy counters (RAPL)" }
  }
  if (names.length === 0) return { reason: "the system shows no energy counters (RAPL)" }
  try {
    const packages = names.map((name) => openPackage(join(root, name), now))
    return {
      joules() {
        try {
          return packages.reduce((sum, read) => sum + read(), 0) / 1e6
        } catch {
          return null
        }
      },
    }
  } catch {
    return { reason: `the energy counters in ${root} may not be read (only root may, by default)` }
  }
}

/** Zones have a name: `package-0`, `psys`. One that has none is taken for a package. */
function isPackage(folder: string): boolean {
  try {
    return readFileSync(join(folder, "name"), "utf8").startsWith("package")
  } catch {
    return true
  }
}

/** No package draws more, in watts. */
const maxWatts = 20_000
/** Reads may follow each other closely, and counters move in steps. */
const minMs = 100

/** Microjoules since now. Throws when it cannot be read, or was set back. */
function openPackage(folder: string, now: () => number): () => number {
  const range = readNumber(join(folder, "max_energy_range_uj"))
  let before = readNumber(join(folder, "energy_uj"))
  let beforeMs = now()
  let sum = 0
  let isSetBack = false
  return () => {
    const counted = readNumber(join(folder, "energy_uj"))
    const atMs = now()
    const grown = counted >= before ? counted - before : counted + range - before
    const max = maxWatts * Math.max(minMs, atMs - beforeMs) * 1000
    isSetBack ||= counted < before && (grown < 0 || grown > max)
    if (isSetBack) throw new Error(`${folder} was set back`)
    sum += grown
    before = counted
    beforeMs = atMs
    return sum
  }
}

function readNumber(path: string): number {
  const text = readFileSync(path, "utf8").trim()
  if (!/^\d{1,19}$/.test(text)) throw new Error(`${path} holds no number`)
  return Number(text)
}
