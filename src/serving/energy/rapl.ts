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
 * Opens the package counters of RAPL: `intel-rapl:N` (AMD's too), not their parts (core, uncore), which are inside. A counter that falls has
 * begun anew at its stated range. Since 2020 only root may read them (CVE-2020-8694).
 *
 * @returns why there is none, as a sentence's end
 */
export function openRapl(root: string): RaplReader | { readonly reason: string } {
  let names: readonly string[]
  try {
    names = readdirSync(root).filter((name) => /^intel-rapl:\d+$/.test(name))
  } catch {
    return { reason: "the system shows no energy counters (RAPL)" }
  }
  if (names.length === 0) return { reason: "the system shows no energy counters (RAPL)" }
  try {
    const packages = names.map((name) => openPackage(join(root, name)))
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

/** Microjoules since now. Throws when it cannot be read. */
function openPackage(folder: string): () => number {
  const range = readNumber(join(folder, "max_energy_range_uj"))
  let before = readNumber(join(folder, "energy_uj"))
  let sum = 0
  return () => {
    const now = readNumber(join(folder, "energy_uj"))
    sum += now >= before ? now - before : now + range - before
    before = now
    return sum
  }
}

function readNumber(path: string): number {
  const text = readFileSync(path, "utf8").trim()
  if (!/^\d{1,19}$/.test(text)) throw new Error(`${path} holds no number`)
  return Number(text)
}
