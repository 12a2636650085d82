import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/**
 * Every sentence that stands in for another one (`reason ?? "…"`): a cause that is guessed there would be believed. Each was read where it
 * stands and says one of three things: that nobody said why (`silent`), a name and no cause (`name`), or the one thing that the absence
 * of the other means there (`fact`). What is new has to be read, too, before it is added.
 */
const fallbacks: Readonly<Record<"silent" | "name" | "fact", readonly string[]>> = {
  silent: [
    "benchReasons.notMeasured",
    "DeepEval has no score for it",
    "an error without a message",
    "it did not end",
    "it has no score",
    "it has no value yet",
    "it was not measured",
    "its arrival was not timed",
    "no message",
    "no response",
    "not computed",
    "not known",
    "not measured",
    "not read",
    "not what the schema asks for",
    "nothing was scored",
    "one answer has no figure of its own",
    "the call failed",
    "the item failed",
    "the provider failed",
    "the request failed",
    "the span ended with an error",
    "undefined for these answers",
    "was not judged",
    "wrong usage",
  ],
  name: [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source.
    "${figure} is worse",
    "(came through)",
    "(no passage)",
    "(no variables)",
    "(without an id)",
    "Reference: {reference} Answer: {output} Is the answer correct?",
    "a metric",
    "a service that does not name its model",
    "fewer are answered",
    "from promptfoo",
    "its input, as text",
    "its options",
    "no class",
    "no interval",
    "no metric decides",
    "no pairs",
    "none are given",
    "nothing is missing",
    "processor packages (RAPL)",
    "the store",
    "unknown architecture",
    "without a name",
    "without names",
  ],
  fact: [
    // What evalkit finds of a call or a figure without a reason on record says so.
    "callReasons.noReason",
    "callReasons.unrecorded",
    "estimateReasons.undefinedFigure",
    "noFigure.energyNotOnRecord",
    "noFigure.serverNotOnRecord",
    // The value was looked at before: only its row is left.
    "scoreReasons.notFinite",
    // One of two processes of the run read the GPU.
    "serverReasons.gpuPartlyRead",
    // The character at this position was found by what a header may have.
    "a character that no header may have",
    // The tracker refused the reservation of this very call.
    "batchWords.noRoom",
    // An episode with a state that could not be read has a reason; without one it was given none.
    "episode({ state }) gives it one; this one had none",
    // The step that drops what is refused knows nothing that is lost besides.
    "it is left out",
    // A level of a bench has a price's source wherever it has a price.
    "no price is known",
    // Parts of a slice were counted, and some are open.
    "some of it has no answer yet",
    // A sample of a log that was left out has a reason: there was none.
    "the log has no answers",
    // A trial that ended without an error, in a row without a number for its reward.
    "the trial has no reward",
    // Every row of the log was read, and none had a score.
    "check that the file is whole, and of a version that docs/logs.md names",
    // A bench without a sentence has no level, no loss and no setting.
    "Nothing was measured.",
    // A connection that is given back without an answer and without an interruption was closed by the other side.
    "the connection was closed",
    // Its seconds with a request are zero, or the counter has a reason of its own.
    "processor energy: the server had no request",
    // There is no reader where the process got no id.
    "the process could not be started",
    // What a fault that is made on purpose says where its author wrote nothing.
    "the service is not available",
  ],
}

const root = fileURLToPath(new URL("../../", import.meta.url))
const pattern =
  /(?:\?\?|\|\|)\s+(?:"([^"]*[a-z] [a-z][^"]*)"|`([^`]*[a-z] [a-z][^`]*)`|((?:(?!stopWords|genderWords)\w+(?:Words|Reasons|Notes|Faults)|noFigure|noJudgeFigure|noSlices|noKnee)\.\w+))/g

it("no sentence that stands in for a missing reason is a guess: each was read", () => {
  const names = new Set(Object.values(fallbacks).flat())
  const unread: string[] = []
  const seen = new Set<string>()
  for (const folder of ["src", "reports", "judges", "metrics", "datasets"])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      for (const [, plain, template, named] of readFileSync(path, "utf8").matchAll(pattern)) {
        const sentence = (plain ?? template ?? named) as string
        seen.add(sentence)
        if (!names.has(sentence)) unread.push(`${relative(root, path)}: ${sentence}`)
      }
    }
  expect(unread).toEqual([])
  expect([...names].filter((sentence) => !seen.has(sentence))).toEqual([])
})

it.each([
  "given up after repeated failures",
  "because a price is unknown",
  "no model was asked again",
  "a stored run; no model is called",
  "the judge's price is unknown",
])("the guess %j is in no source any more", (guess) => {
  const result = ["src", "reports", "judges", "metrics"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(
      (entry) =>
        entry.isFile() &&
        /\.tsx?$/.test(entry.name) &&
        readFileSync(join(entry.parentPath, entry.name), "utf8").includes(guess) &&
        // A budget in dollars refuses a price that is null, and names whose.
        !entry.parentPath.endsWith("src/cost"),
    ),
  )
  expect(result.map(({ name }) => name)).toEqual([])
})
