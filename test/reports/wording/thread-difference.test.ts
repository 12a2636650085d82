import { expect, it } from "vitest"
import { renderSample } from "../../../reports/terminal/sample.ts"
import { threadDifference } from "../../../reports/wording/thread-difference.ts"
import { episodeAnswer, said } from "../../metrics/episodes/episode-answer.ts"
import { fakeSample } from "../../support/fake-variant.ts"

const entry = (who: string, text: string, label = "") => ({ who, text, label })
const user = entry("user", "one?")

it("is the first entry that is another, in who, how or what", () => {
  const left = [user, entry("model", "yes"), entry("user", "two?"), entry("model", "a")]
  expect(threadDifference(left, left)).toBeNull()
  expect(threadDifference(left, [...left.slice(0, 3), entry("model", "b")])).toEqual({ at: 3, turn: 2 })
  expect(threadDifference(left, [user, entry("model", "yes", "step_limit")])).toEqual({ at: 1, turn: 1 })
  expect(threadDifference(left, [user, entry("tool", "yes")])).toEqual({ at: 1, turn: 1 })
})

it("is where one of them has ended, in the turn of what follows in the other", () => {
  const left = [user, entry("model", "yes"), entry("user", "two?")]
  expect(threadDifference(left, left.slice(0, 2))).toEqual({ at: 2, turn: 2 })
  expect(threadDifference(left.slice(0, 1), left)).toEqual({ at: 1, turn: 1 })
  expect(threadDifference([], left)).toEqual({ at: 0, turn: 1 })
})

it("is what `show` prints of two variants, with what each did from there on", () => {
  const turns = ["one?", "two?"].map((content) => ({ content, references: [] }))
  const sample = fakeSample("s", { input: "one?", references: [], turns })
  const answer = (variant: string, texts: readonly string[]) => ({
    generation: {
      ...episodeAnswer(
        texts.map((text, turn) => said(turn, text)),
        { turns: 2 },
      ),
      variant,
    },
    rows: [],
  })
  const text = renderSample(sample, [
    answer("old", ["a", "b\u001b[31m"]),
    answer("newer", ["a", "c"]),
    answer("same", ["a", "b\u001b[31m"]),
  ])
  const shown = text.slice(text.indexOf("old and newer")).replace(/[^\S\n]+/g, " ")
  expect(shown).toMatch(
    /^old and newer part at step 4, in turn 2 of the user\n old model b.*\n newer model c\n\nold and same went through the same steps\n$/,
  )
  expect(shown).not.toContain("\u001b")
})
