import type { RunDifference } from "../../src/core/report/frozen-plan.ts"
import { readableName } from "../../src/words/metric.ts"
import { plainText } from "../../src/words/text.ts"

/** Whose a difference is, and what of it. */
export type Difference = Pick<RunDifference, "about" | "of" | "keys">

/**
 * What differs between two runs, in plain words in place of the path in their records.
 *
 * @example differenceWords({ about: "variant", of: "b", keys: ["parameters", "maxTokens"] }) // "b: parameters: max tokens"
 */
export function differenceWords({ about, of, keys }: Difference): string {
  const [first = "", ...rest] = keys
  if (about === "version") return plainText(keys.join("."), 100)
  const title = Object.hasOwn(words[about], first) ? (words[about][first] as string) : readableName(first)
  const inner = rest.map((key) => (/^\d{1,9}$/.test(key) ? `no. ${Number(key) + 1}` : readableName(key)))
  return [...(of === null ? [] : [nameOf(about, of)]), ...[title, ...inner].filter((part) => part !== "")].join(": ")
}

function nameOf(about: Difference["about"], name: string): string {
  return about === "metric" ? readableName(name) : plainText(name, 60)
}

/** Fields whose own name says too little, by what they are about. */
const words: Readonly<Record<Exclude<Difference["about"], "version">, Readonly<Record<string, string>>>> = {
  data: {
    source: "where it comes from",
    fingerprint: "its rows (SHA-256)",
    skipped: "rows left out",
    isPart: "a part only",
  },
  variant: {
    identity: "how it is asked",
    fingerprint: "all that changes its answers (fingerprint)",
    privateFingerprint: "a secret that changes its answers (keyed hash)",
    priceSource: "source of its price",
  },
  metric: { signature: "how it is computed (signature)", primary: "decides", recipe: "how it is made again" },
  setting: { name: "name of the run", axes: "axes of the frontier", alpha: "alpha (1 \u2212 confidence)" },
}
