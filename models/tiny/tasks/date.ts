import { between, chance, type Generator, pick } from "../data/item.ts"
import { months } from "../data/words.ts"

/** Dates between words and ISO 8601. */
export const date: Generator = (random) => {
  const year = between(random, 1950, 2039)
  const month = between(random, 1, 12)
  const day = between(random, 1, 28)
  const name = months[month - 1] as string
  const iso = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  const keys = [`date:${iso}`] as [string]
  if (chance(random, 0.4)) {
    return { task: "date", prompt: `Convert the ISO date ${iso} to words.`, answer: `${day} ${name} ${year}`, keys }
  }
  const written = pick(random, [
    `${name} ${day}, ${year}`,
    `${day} ${name} ${year}`,
    `${day}.${month}.${year}`,
    `${name.slice(0, 3)} ${day} ${year}`,
  ])
  return { task: "date", prompt: `Write the date ${written} in ISO format.`, answer: iso, keys }
}
