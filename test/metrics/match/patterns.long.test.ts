import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { analyse } from "scslre"
import { parseAst, transformWithEsbuild } from "vite"
import { beforeAll, describe, expect, it } from "vitest"
import { readAnswers } from "../../../judges/checklist.ts"
import { parseVerdict } from "../../../judges/parse-verdict.ts"
import { contentWords } from "../../../metrics/statements/content-words.ts"
import { extractFacts, factIndex } from "../../../metrics/statements/facts.ts"
import { splitSentences } from "../../../metrics/statements/sentences.ts"
import { choiceAnswer } from "../../../metrics/text/choice-answer.ts"
import { sentiment } from "../../../metrics/text/sentiment.ts"
import { squadNormalize } from "../../../metrics/text/squad-normalize.ts"
import { tokenize13a } from "../../../metrics/text/tokenize-13a.ts"
import { findAddresses } from "../../../src/text/personal-data/addresses.ts"
import { findIds } from "../../../src/text/personal-data/ids.ts"
import { findPatterns } from "../../../src/text/personal-data/leaks.ts"
import { peopleOf } from "../../../src/text/personal-data/persons.ts"
import { parseJsonAnswer } from "../../../src/text/reading/json-answer.ts"
import { readNumbers } from "../../../src/text/reading/read-number.ts"
import { separateThinking } from "../../../src/text/reading/thinking.ts"
import { isRefusal } from "../../../src/text/refusal.ts"
import { spellOutInvisible } from "../../../src/text/spell-out-invisible.ts"
import { sized } from "../../support/nightly.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
/** Where texts of models are read. */
const folders = ["metrics", "judges", "datasets", "src/core", "src/text"]

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

/** Every regular expression that is written in a file, and how many are put together while it runs. */
async function patternsOf(file: string): Promise<{ readonly literals: RegExp[]; readonly built: number }> {
  const { code } = await transformWithEsbuild(readFileSync(join(root, file), "utf8"), file, { loader: "ts" })
  const literals: RegExp[] = []
  let built = 0
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    const node = value as Node
    if (node.type === "Literal" && node.regex) literals.push(new RegExp(node.regex.pattern, node.regex.flags))
    if ((node.type === "NewExpression" || node.type === "CallExpression") && node.callee?.name === "RegExp") built++
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(code))
  return { literals, built }
}

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
)

describe("the patterns that texts of models are read with", () => {
  const patterns = new Map<string, Awaited<ReturnType<typeof patternsOf>>>()
  beforeAll(async () => {
    for (const file of files) patterns.set(file, await patternsOf(file))
  })

  it("have no run that a text can make them read twice: none backtracks more than linearly", () => {
    const slow: string[] = []
    let seen = 0
    for (const [file, { literals }] of patterns) {
      for (const literal of literals) {
        seen++
        // `Move` is the search that starts anew at every character: as slow on a megabyte as backtracking.
        const { reports } = analyse(literal, { reportTypes: { Move: true } })
        for (const { type } of reports) slow.push(`${file}: ${type} ${literal}`)
      }
    }
    expect(slow).toEqual([])
    expect(seen).toBeGreaterThan(100)
  })

  it("are put together while the program runs only from our own words, or by the user", () => {
    const building = [...patterns].flatMap(([file, { built }]) => (built > 0 ? [file] : []))
    // Contractions; the pattern that the user gives; names of texts; scripts; months; phrases, cues and streets by language, names in a record; the pattern of an encoding.
    expect(building.sort()).toEqual([
      "datasets/perturb/contractions.ts",
      "metrics/match/regex-match.ts",
      "metrics/overlap/token-f1.ts",
      "metrics/statements/abstention.ts",
      "metrics/statements/content-words.ts",
      "metrics/statements/facts.ts",
      "src/text/language.ts",
      "src/text/o200k.ts",
      "src/text/personal-data/addresses.ts",
      "src/text/personal-data/ids.ts",
      "src/text/personal-data/persons.ts",
      "src/text/phrases.ts",
      "src/text/questions/question-words.ts",
    ])
  })
})

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  extractFacts: (text) => extractFacts(text),
  factIndex: (text) => factIndex([text]),
  splitSentences,
  findPatterns,
  findAddresses,
  findIds,
  peopleOf: (text) => peopleOf([text]).spans(text),
  isRefusal,
  sentiment,
  contentWords,
  squadNormalize,
  tokenize13a,
  readNumbers,
  separateThinking,
  parseJsonAnswer,
  spellOutInvisible,
  choiceAnswer: (text) => choiceAnswer(text, ["red", "blue"]),
  parseVerdict: (text) => parseVerdict(text, ["yes", "no"], [text]),
  readAnswers: (text) => readAnswers(text, ["one?", "two?", "three?"], [text]),
}

const bombs: Readonly<Record<string, string>> = {
  "one word": "A",
  digits: "1",
  spaces: " ",
  "line ends": "\n",
  tabs: "\t \n",
  "commas between digits": "1,",
  "capital words": "Aa ",
  "open quotes": '"a ',
  brackets: "(Aa",
  "nested JSON": '{"a":[',
  "null bytes": "\0",
  "unfinished URLs": "http://",
  months: "may may 1 ",
  stops: ". ",
  apostrophes: "A'",
  "half addresses": "a@a.",
  "dots between letters": "a.",
  "answers without end": "answer: ",
  "verdicts without end": "\n* verdict",
  "lists without end": "\n1 ",
  "half cards": "4111 ",
  "half addresses of streets": "12 Rue De La ",
  "titles without a name": "Mr. Dr. ",
  initials: "A. B.",
  "plus signs": "+1-",
  surrogates: "\ud83d\ude00\ud83d",
  "invisible characters": "\u200b\u202e",
}

/** What takes less processor time, in microseconds, is not distinguishable from noise. */
const noiseUs = 20_000

/** Processor time of one call in microseconds, the least of several. */
function cpuOf(read: (text: string) => unknown, text: string, calls = 3): number {
  const times = Array.from({ length: calls }, () => {
    const before = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

describe.each(Object.entries(readers))("%s", (_name, read) => {
  it("takes time in proportion to the text, whatever it is made of", { timeout: 60_000 }, () => {
    const superlinear: string[] = []
    for (const [what, unit] of Object.entries(bombs)) {
      const texts = [sized(25_000, 10_000), sized(100_000, 40_000)].map(
        (size) => `${unit.repeat(Math.ceil(size / unit.length))}!`,
      )
      if (cpuOf(read, texts[1] as string, 1) <= noiseUs) continue
      const measure = () => texts.map((text) => cpuOf(read, text)) as [number, number]
      // Four times the text: a linear reader takes four times as long, a quadratic one sixteen.
      const isSuspect = ([short, long]: readonly [number, number]) => long > noiseUs && long > 10 * short
      let times = measure()
      // A quadratic reader is one at every look; garbage that is collected in one of them is not.
      for (let repeats = 0; repeats < 3 && isSuspect(times); repeats++) times = measure()
      if (isSuspect(times)) superlinear.push(`${what}: ${times[0]} µs, then ${times[1]} µs`)
    }
    expect(superlinear).toEqual([])
  })
})
