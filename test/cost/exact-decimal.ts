/** Exact decimal arithmetic on whole numbers, so that expected sums do not come from the arithmetic that they check. */
const scale = 12

/** `1.25` → 1250000000000n. */
export function decimal(text: string): bigint {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (fraction.length > scale || !/^-?\d+(\.\d+)?$/.test(text.trim())) throw new Error(`not a decimal: ${text}`)
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, "0")}`)
}

/** A sum of products of decimals: `1000*3 + 50*15*0.5`. */
export function sumOfProducts(text: string): bigint {
  return text.split("+").reduce((sum, term) => sum + product(term), 0n)
}

function product(term: string): bigint {
  return term.split("*").reduce((result, factor) => (result * decimal(factor)) / 10n ** BigInt(scale), decimal("1"))
}

/** Dollars as a decimal with ten places: what a float of that size holds exactly enough. */
export function dollars(value: number): bigint {
  return decimal(value.toFixed(10))
}
