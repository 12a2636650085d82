import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

const path = createRequire(import.meta.url).resolve("string-width")

/**
 * What every emoji has one of: a character from U+1F000 on, the sign that a picture is meant, the frame of a key, or one of the few
 * characters before U+1F000 that are pictures by themselves. The pattern of all emoji takes 30 ms to make, and what evalkit draws with
 * ("▲ ● ─ ±") has none of these.
 */
export const mayBeEmoji =
  /\uFE0F|\u20E3|[\uD83C-\uDBFF\u231A\u231B\u23E9-\u23EC\u23F0\u23F3\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD\u26BE\u26C4\u26C5\u26CE\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2705\u270A\u270B\u2728\u274C\u274E\u2753-\u2755\u2757\u2795-\u2797\u27B0\u27BF\u2B1B\u2B1C\u2B50\u2B55]/

/** What the package makes when it is loaded, 35 ms of every command, and what makes it when it is first used. */
const atFirstUse = [
  [
    "const segmenter = new Intl.Segmenter();",
    "let firstSegmenter; const segmenter = { segment: text => (firstSegmenter ??= new Intl.Segmenter()).segment(text) };",
  ],
  [
    "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;",
    `const mayBeEmoji = ${mayBeEmoji}; let firstEmoji; const rgiEmojiRegex = { test: text => mayBeEmoji.test(text) && (firstEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };`,
  ],
]

/**
 * One string-width for evalkit and for yargs, whose own older one segments every line of the help, which yargs lays out at every
 * command. This one answers for ASCII at once, and so most commands need neither the segmenter nor the pattern of emoji.
 */
export const lightStringWidth = {
  name: "light string-width",
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, () => ({ path }))
    build.onLoad({ filter: /[/\\]string-width[/\\]index\.js$/ }, async (args) => {
      let contents = await readFile(args.path, "utf8")
      for (const [eager, lazy] of atFirstUse) {
        if (!contents.includes(eager)) throw new Error(`${args.path}: there is no "${eager}" any more`)
        contents = contents.replace(eager, () => lazy)
      }
      return { contents, loader: "js" }
    })
  },
}
