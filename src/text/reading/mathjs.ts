import {
  addDependencies,
  create,
  divideDependencies,
  multiplyDependencies,
  nthRootDependencies,
  parseDependencies,
  piDependencies,
  powDependencies,
  sqrtDependencies,
  subtractDependencies,
  unaryMinusDependencies,
  unaryPlusDependencies,
} from "mathjs/number"

const parts = {
  addDependencies,
  divideDependencies,
  multiplyDependencies,
  nthRootDependencies,
  parseDependencies,
  piDependencies,
  powDependencies,
  sqrtDependencies,
  subtractDependencies,
  unaryMinusDependencies,
  unaryPlusDependencies,
}
const math = create(parts as Parameters<typeof create>[0])

/** The value of an expression, by mathjs with numbers alone and without names of one's own. Throws for what it cannot read. */
export function evaluate(expression: string): unknown {
  return math.parse(expression).compile().evaluate({})
}
