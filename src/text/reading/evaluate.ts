/** Gives the value of an expression of numbers: null where it has none, or is more than that. */
export type Evaluate = (expression: string) => number | null

/** Characters of an expression that is evaluated, at most. */
const longest = 200

/** What may stand in one: numbers, brackets, + − * / ^, roots, π. */
const parts = /^(?:[\d.\s()+\-*/^,]|(?<![A-Za-z])(?:sqrt|nthRoot|pi)(?![A-Za-z]))+$/

let loading: Promise<Evaluate> | undefined

/** The evaluator, loaded where it is first needed: sums, products, fractions, powers and roots of numbers by mathjs, as double precision has them. */
export function loadEvaluate(): Promise<Evaluate> {
  loading ??= create()
  return loading
}

async function create(): Promise<Evaluate> {
  const math = await import("./mathjs.ts")
  return (expression) => {
    if (expression.length > longest || !parts.test(expression)) return null
    try {
      const value: unknown = math.evaluate(expression)
      return typeof value === "number" && Number.isFinite(value) ? value : null
    } catch {
      return null
    }
  }
}
