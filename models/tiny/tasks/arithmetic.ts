import { between, fill, type Generator, pick } from "../data/item.ts"

const wordings = {
  add: ["What is {} plus {}?", "Compute {} + {}."],
  subtract: ["What is {} minus {}?", "Compute {} - {}."],
  multiply: ["What is {} times {}?", "Compute {} * {}."],
} as const

/** Sums and differences up to three digits, and small products; tested on operands that never trained, in any order. */
export const arithmetic: Generator = (random) => {
  const draw = random.next()
  const operation = draw < 0.5 ? "add" : draw < 0.9 ? "subtract" : "multiply"
  const largest = operation === "multiply" ? 12 : random.next() < 0.75 ? 99 : 999
  let a = between(random, 2, largest)
  let b = between(random, 2, largest)
  if (operation === "subtract" && a < b) [a, b] = [b, a]
  const result = operation === "add" ? a + b : operation === "subtract" ? a - b : a * b
  return {
    task: "arithmetic",
    prompt: fill(pick(random, wordings[operation]), a, b),
    answer: String(result),
    keys: [`${operation}:${Math.max(a, b)},${Math.min(a, b)}`],
    extra: { operation, digits: String(Math.max(a, b)).length },
  }
}
