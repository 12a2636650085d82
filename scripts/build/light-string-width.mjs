import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

const path = createRequire(import.meta.url).resolve("string-width")

/** What the package makes when it is loaded, 35 ms of every command, and what makes it when it is first used. */
const atFirstUse = [
  [
    "const segmenter = new Intl.Segmenter();",
    "let firstSegmenter; const segmenter = { segment: text => (firstSegmenter ??= new Intl.Segmenter()).segment(text) };",
  ],
  [
    "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;",
    'let firstEmoji; const rgiEmojiRegex = { test: text => (firstEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };',
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
