// Is a cheaper look at a picture as good? Two ways of naming the colour of a square: from all of its pixels, or from one. For the real
// thing put openai({ model: "…" }) and anthropic({ model: "…" }) in the place of the functions: the same prompts, with the same pictures,
// go to them in each service's own form. `--dry-run` then says what the pictures cost.
import { defineConfig, exactMatch, fromFunction, inline, variant } from "evalkit"
import { type Colour, pixelsOf, squareOf } from "./squares.ts"

const colours: Readonly<Record<string, Colour>> = { red: [200, 40, 40], green: [40, 160, 60], blue: [40, 60, 200] }
const names = Object.keys(colours)

/** Every seventh square has a stain of another colour in its corner. */
const rows = Array.from({ length: 60 }, (_, i) => {
  const name = names[i % names.length] ?? ""
  const stain = i % 7 === 3 ? (names[(i + 1) % names.length] ?? "") : name
  const picture = squareOf(colours[name] as Colour, colours[stain] as Colour)
  return {
    id: `square-${i}`,
    question: "Which colour is the square?",
    picture: { base64: picture.toString("base64") },
    answer: name,
  }
})

function nearest([red, green, blue]: Colour): string {
  const distance = ([r, g, b]: Colour) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
  return names.toSorted((a, b) => distance(colours[a] as Colour) - distance(colours[b] as Colour))[0] ?? ""
}

/** Looks at the first picture of the prompt with some of its pixels. */
const looker = (name: string, chosen: (pixels: readonly Colour[]) => readonly Colour[]) =>
  fromFunction(
    ({ messages }) => {
      const picture = messages.flatMap(({ parts = [] }) => parts).find((part) => part.type === "image")
      if (!picture?.data) return "there is no picture"
      const pixels = chosen(pixelsOf(picture.data))
      const mean = (channel: 0 | 1 | 2) => pixels.reduce((sum, pixel) => sum + pixel[channel], 0) / pixels.length
      return nearest([mean(0), mean(1), mean(2)])
    },
    { name },
  )

export default defineConfig({
  name: "pictures",
  dataset: inline(rows, { fields: { images: "picture" } }),
  variants: [
    variant({ name: "all-pixels", provider: looker("all-pixels", (pixels) => pixels) }),
    variant({ name: "one-pixel", provider: looker("one-pixel", (pixels) => pixels.slice(0, 1)) }),
  ],
  metrics: [exactMatch()],
  margin: 0.02,
})
