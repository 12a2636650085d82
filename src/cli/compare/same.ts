import { foreignAnswer } from "../../../datasets/foreign-answer.ts"
import { wrap } from "../../../reports/terminal/style.ts"
import { textTable } from "../../../reports/terminal/text-table.ts"
import { type AnswerSide, sameAnswers } from "../../analyse/compare/same-answers.ts"
import type { ForeignFile } from "../../analyse/source/file-source.ts"
import { findSides } from "../../analyse/source/stored-source.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { contentHash, type JsonValue } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { answersOfLog, answersOfRows } from "../../pipeline/score-file/scorable-answers.ts"
import { closing } from "../../platform/closing.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { equalityRemarks, equalitySentence, equalityTable } from "../../wording/same-answers.ts"
import { plainText } from "../../words/text.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Args, CommandIo } from "../command.ts"
import { columnPairs } from "../files/column-options.ts"
import { isFile } from "../files/named-file.ts"
import { listOption } from "../list-option.ts"
import { withSpinner } from "../spinner.ts"
import { foreignFiles } from "./foreign-files.ts"

/** `evalkit compare A B --same`: whether two variants, runs or files give the same answers, as draws from one model would be. */
export async function printSame(
  names: readonly [string, string],
  { args, alpha, seed }: { readonly args: Args; readonly alpha: number; readonly seed: number },
  io: CommandIo,
): Promise<number> {
  const result = await withSpinner(
    io,
    `comparing the answers of ${names.map((name) => plainText(name, 40)).join(" and ")}`,
    (own) =>
      isFile(names[0], io) || isFile(names[1], io)
        ? sameFiles(names, { args, alpha, seed }, own)
        : sameVariants(names, { args, alpha, seed }, own),
  )
  const sentence = equalitySentence(result)
  if (args.json === true) io.out(`${JSON.stringify({ ...result, sentence })}\n`)
  else {
    const { header, rows } = equalityTable(result)
    const width = Math.max(40, screenWidth(io))
    const lines = [
      ...wrap(plainText(sentence, 2000), width, true),
      ...(rows.length === 0 ? [] : ["", textTable(header, rows).trimEnd()]),
      "",
      ...equalityRemarks(result).flatMap((line) =>
        wrap(plainText(line, 2000), width - 2, true).map((part) => `  ${part}`),
      ),
    ]
    io.out(`${lines.join("\n")}\n`)
  }
  if (result.p === null) return ExitCode.inconclusive
  return result.p <= alpha ? ExitCode.gateFailed : ExitCode.ok
}

interface Settings {
  readonly args: Args
  readonly alpha: number
  readonly seed: number
}

async function sameVariants(names: readonly [string, string], { args, ...how }: Settings, io: CommandIo) {
  return closing(openProjectStore(args, io), async (store) => {
    const [a, b] = findSides(names, store, args.run as string | undefined)
    const side = ({ run, variant }: typeof a): AnswerSide => ({
      name: a.variant === b.variant ? `${variant} (run ${run.id})` : variant,
      answers: storedAnswers(store, run, variant, args.pairBy === "id"),
    })
    return await sameAnswers([side(a), side(b)], how)
  })
}

function* storedAnswers(store: RunStore, { id, dataset }: RunRecord, variant: string, isById: boolean) {
  const prompts = isById
    ? null
    : new Map(Array.from(store.samples(dataset.fingerprint), (sample) => [sample.id, promptKey(sample)]))
  for (const answer of store.generations(id, variant))
    yield { ...answer, sampleId: prompts?.get(answer.sampleId) ?? answer.sampleId }
}

/** What a sample asks, whatever its id; where that is not known, its id. */
function promptKey({ id, input, choices, context }: Sample): string {
  return input === null ? id : contentHash([input, choices, context] as unknown as JsonValue, 16)
}

async function sameFiles(names: readonly [string, string], { args, ...how }: Settings, io: CommandIo) {
  for (const name of names)
    if (!isFile(name, io)) throw new UsageError("a file can only be compared with a file", { where: name })
  const files = await foreignFiles(names, { columns: columnPairs(args), outputs: true }, io)
  const id = listOption(args.id)
  const options = { readAnswer: foreignAnswer, id: id.length > 0 ? id : null }
  const side = (file: ForeignFile): AnswerSide => ({
    name: file.variant === null ? file.name : `${file.name}:${file.variant}`,
    answers: answersOf("log" in file ? answersOfLog(file) : answersOfRows(file, options), args.pairBy === "id"),
  })
  return sameAnswers([side(files[0]), side(files[1])], how)
}

async function* answersOf(answers: ReturnType<typeof answersOfLog>, isById: boolean): AsyncGenerator<Generation> {
  for await (const { sample, generation } of answers)
    yield isById ? generation : { ...generation, sampleId: promptKey(sample) }
}
