import { between, capitalise, chance, draw, type Generator, pick } from "../data/item.ts"
import { people } from "../data/words.ts"

const good = "great lovely perfect tasty friendly fast clean cheap fresh helpful".split(" ")
const bad = "awful broken dirty slow rude cold noisy late stale ugly".split(" ")
const plain = "average okay usual normal standard typical".split(" ")
const things = "food staff room service price bed coffee view menu phone screen battery".split(" ")
const labels = ["positive", "negative", "neutral"]
const noiseShare = 0.07

/**
 * A review of one to three clauses, with negations. Seven labels of a hundred are replaced by another, in training and
 * in the test alike: nobody can be right more often than 93 %, and a calibrated model says so.
 */
export const sentiment: Generator = (random) => {
  const clauses = draw(random, things, between(random, 1, 3)).map((thing) => {
    const kind = random.next()
    const [list, value] = kind < 0.42 ? [good, 1] : kind < 0.84 ? [bad, -1] : [plain, 0]
    const negated = value !== 0 && chance(random, 0.22)
    const adverb = negated ? "not " : pick(random, ["", "", "very ", "really "])
    const word = pick(random, list)
    return {
      text: `the ${thing} was ${adverb}${word}`,
      meaning: `${thing}=${negated ? "not " : ""}${word}`,
      value: negated ? -value : value,
    }
  })
  const score = clauses.reduce((sum, { value }) => sum + value, 0)
  const truth = score > 0 ? "positive" : score < 0 ? "negative" : "neutral"
  const noisy = chance(random, noiseShare)
  const answer = noisy
    ? pick(
        random,
        labels.filter((label) => label !== truth),
      )
    : truth
  const text = clauses
    .map((clause) => clause.text)
    .reduce((all, next) => `${all}${chance(random, 0.3) ? ", but" : " and"} ${next}`)
  const author = pick(random, people)
  return {
    task: "sentiment",
    prompt: `${author.name} wrote: ${capitalise(text)}. Is the review positive, negative or neutral?`,
    answer,
    keys: [
      `review:${clauses
        .map(({ meaning }) => meaning)
        .sort()
        .join("/")}`,
    ],
    choices: labels,
    group: author.gender,
    label: answer,
    extra: { noisy, region: author.region },
  }
}
