import { between, type Generator, pick } from "../data/item.ts"

const conversions = [
  ["km", "m", 1000],
  ["m", "cm", 100],
  ["kg", "g", 1000],
  ["cm", "mm", 10],
  ["hours", "minutes", 60],
  ["minutes", "seconds", 60],
  ["days", "hours", 24],
  ["weeks", "days", 7],
] as const

/** Converts a whole number of units; the tested numbers never trained with that pair of units. */
export const unit: Generator = (random) => {
  const [from, to, factor] = pick(random, conversions)
  const amount = between(random, 2, 40)
  return {
    task: "unit",
    prompt: `Convert ${amount} ${from} to ${to}.`,
    answer: `${amount * factor} ${to}`,
    keys: [`unit:${amount} ${from}>${to}`],
  }
}
