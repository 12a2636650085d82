import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

/**
 * Where people stumbled once, and the test that holds each: its file below test/, and its name. What only a machine at rest can
 * show (the minute of `npm start`) stands in benchmarks/start.
 */
const stumbles: readonly (readonly [stumble: string, file: string, test: string])[] = [
  [
    "the summary dropped failures and cost before a size that was unknown",
    "reports/terminal/terminal.long",
    "keeps failures, cost and time before a size that is unknown",
  ],
  [
    "limits that were broken stood in one long line",
    "reports/terminal/terminal.long",
    "gives each limit that is broken a line of its own, the baseline's too, and repeats none that the sentence has",
  ],
  ["words were broken in the middle", "cli/line/wrap-lines", "are broken between words, what follows further in"],
  [
    "the next commands did not work from where one stood",
    "cli/after-run/next-commands",
    "name the store and the config where they are not where a command looks",
  ],
  [
    "a command was named that no shell found",
    "cli/after-run/next-commands",
    "go through npx where no shell finds evalkit, and name the pair that the run decided on",
  ],
  ["--format md was refused", "cli/tasks/stumbles.long", "md and markdown are one format"],
  [
    "runs were listed by another zone's clock",
    "cli/commands/history/history",
    "shows when they began by the clock on the wall, with its zone",
  ],
  [
    "two runs differed and nobody said in what",
    "cli/commands/history/history",
    "says prompt, parameters and price of a variant that changed, in plain words, and its fingerprint where nothing else says it",
  ],
  [
    "HTTP 401 HTTP 401",
    "cli/tasks/stumbles.long",
    "a refusal says its status once, in the summary, in show and in the report",
  ],
  [
    "(0 , _evalkit.correctness) is not a function",
    "cli/tasks/stumbles.long",
    "a name that evalkit does not export, or another part does, is named as the config has it",
  ],
  [
    "the parser of options spoke in its own words",
    "cli/line/every-command.long",
    "says that it has no such option, and which it may have been",
  ],
  ["examples of --help were not valid", "cli/line/every-command.long", "has examples that it takes itself"],
  [
    "clicking a row seemed to do nothing",
    "reports/page/samples.long.browser",
    "reads a sample beside the list, walks on by keys, and comes back to the list",
  ],
  [
    "one outlier crowded all others into a corner",
    "reports/app/charts",
    "makes an axis logarithmic where it would crowd the others",
  ],
  [
    "labels lay on each other or were cut at 400 pixels",
    "reports/page/layout.long.browser",
    "cuts no text and lays none on another, at any width and in both themes: %s",
  ],
  ["two of six variants looked the same", "reports/app/colours", "differ in each pair of six for %s sight"],
  [
    "two of six lines had one stroke",
    "reports/app/colours",
    "draws the lines of six variants with six different strokes",
  ],
  [
    "lines that coincide hid each other",
    "reports/app/curves-chart",
    "says of curves that lie on each other that they do, and only of those",
  ],
  [
    "print left headings alone and split rows",
    "reports/page/opening.long.browser",
    "leaves no heading alone at the end of a sheet and splits no row",
  ],
  [
    "a section said at length that all had fitted",
    "analyse/sections/context-window",
    "says first that everything fitted, then how full the window was",
  ],
  [
    "a claim stood above the doubt that contradicts it",
    "reports/wording/doubts",
    "begins with what is gravest and says it in plain words",
  ],
  [
    "a run that was refused whole had a page of empty tables",
    "reports/wording/whole-failure",
    "repeats the service's words",
  ],
  [
    "131,579 tokens a second of an answer in one burst",
    "perf/speed-figures",
    "takes the decode speed of answers that came in one burst from the server's timings, and marks it",
  ],
  [
    "an open loop's idle time was paid twice",
    "cost/cost-figures",
    "counts the idle time of hardware under an open loop once",
  ],
  [
    "levels that were invalid supported a sentence",
    "reports/bench/verdict",
    "lets a throughput stand where the client's error voids times alone, and says which of them are void",
  ],
  [
    "a load was called the best while one in doubt was faster",
    "reports/bench/verdict",
    "calls nothing the highest of all where a load that cannot be trusted may have been faster",
  ],
]

describe("every stumble", () => {
  it.each(stumbles)("has its test: %s", (_, file, test) => {
    const path = (ending: string) => new URL(`../../${file}.test.${ending}`, import.meta.url)
    const text = readFileSync(path(file.endsWith("-chart") ? "tsx" : "ts"), "utf8")
    // As the name of a test stands there: the first argument, between quotes.
    expect(text.replace(/\(\s+/g, "(")).toContain(`("${test}"`)
  })
})
