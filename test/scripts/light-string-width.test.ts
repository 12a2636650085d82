import { expect, it } from "vitest"

const script = new URL("../../scripts/build/light-string-width.mjs", import.meta.url).href
const { mayBeEmoji } = (await import(/* @vite-ignore */ script)) as { mayBeEmoji: RegExp }

/** The flag that the compiler does not know for this target. */
const setNotation: string = "v"

it("lets every emoji through to the pattern of emoji, and what evalkit draws with past it", () => {
  const emoji = new RegExp("^\\p{RGI_Emoji}$", setNotation)
  const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
    (text) => /\p{Emoji}/u.test(text) && emoji.test(text),
  )
  expect(all.length).toBeGreaterThan(1000)
  const sequences = ["#\uFE0F\u20E3", "\u{1F1E9}\u{1F1EA}", "\u263A\uFE0F", "\u{1F469}\u200D\u{1F4BB}"]
  for (const sequence of sequences) expect(emoji.test(sequence)).toBe(true)
  expect([...all, ...sequences].filter((text) => !mayBeEmoji.test(text))).toEqual([])
  for (const text of "▲●◆─│┤┼±×→−≥≤…·éßñ") expect(mayBeEmoji.test(text)).toBe(false)
})
