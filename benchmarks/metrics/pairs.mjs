import { createRandom } from "../../dist/src/engine.js"

/** Pairs of sentences of 20 to 60 words (or other bounds), a quarter of whose words differ; no sentence occurs twice. */
export function* makePairs(count, { shortest = 20, longest = 60 } = {}) {
  const random = createRandom("benchmark")
  const letters = "etaoinshrdlucmfwygpb"
  const vocabulary = Array.from({ length: 8000 }, () =>
    Array.from({ length: 2 + random.integer(8) }, () => letters[random.integer(letters.length)]).join(""),
  )
  const word = () => vocabulary[Math.floor(random.next() ** 3 * vocabulary.length)]
  for (let i = 0; i < count; i++) {
    const reference = Array.from({ length: shortest + random.integer(longest - shortest + 1) }, word)
    const output = reference.map((same) => (random.next() < 0.25 ? word() : same))
    yield [`${output.join(" ")}.`, `${reference.join(" ")}.`]
  }
}
