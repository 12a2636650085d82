import { findLeaks, type Leak } from "./personal-data.ts"

/** Replaces personal data and secrets by pseudonyms such as `[email 2]`: the same text, the same pseudonym. */
export interface Redaction {
  text(text: string): Promise<string>
  /** Every text in a value of JSON, names of members among them. The value itself where nothing was found. */
  value<Value>(value: Value): Promise<Value>
  /** How many different ones were replaced, by kind. */
  counts(): ReadonlyMap<Leak["kind"], number>
}

/**
 * A redaction of what {@link findLeaks} finds, which has no pseudonym yet.
 *
 * @param countries ISO 3166 codes of the countries whose national phone numbers are found
 */
export function createRedaction(countries?: readonly string[]): Redaction {
  const pseudonyms = new Map<string, string>()
  const counts = new Map<Leak["kind"], number>()

  const pseudonymOf = (kind: Leak["kind"], found: string): string => {
    const key = `${kind} ${found}`
    const known = pseudonyms.get(key)
    if (known !== undefined) return known
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    pseudonyms.set(key, `[${kind} ${number}]`)
    return `[${kind} ${number}]`
  }

  const text = async (whole: string): Promise<string> => {
    const leaks = [...(await findLeaks(whole, countries))].sort((a, b) => a.start - b.start)
    let out = ""
    let end = 0
    for (const { kind, start, length } of leaks) {
      out += `${whole.slice(end, start)}${pseudonymOf(kind, whole.slice(start, start + length))}`
      end = start + length
    }
    return end === 0 ? whole : out + whole.slice(end)
  }

  const value = async <Value>(given: Value): Promise<Value> => {
    if (typeof given === "string") return (await text(given)) as Value
    if (typeof given !== "object" || given === null || ArrayBuffer.isView(given)) return given
    if (Array.isArray(given)) {
      const next: unknown[] = []
      for (const one of given) next.push(await value(one))
      return next.some((one, i) => one !== given[i]) ? (next as Value) : given
    }
    const next: [string, unknown][] = []
    let isSame = true
    for (const [name, member] of Object.entries(given)) {
      const pair = [await text(name), await value(member)] as [string, unknown]
      isSame &&= pair[0] === name && pair[1] === member
      next.push(pair)
    }
    return isSame ? given : (Object.fromEntries(next) as Value)
  }

  return { text, value, counts: () => counts }
}
