import type { JudgedAnswer } from "../../analyse/judge-validation/judged-answer.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { renewJudgeCards } from "../../pipeline/renew-judge-cards.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { openStoreToChange } from "../../store/project-store.ts"
import { counted } from "../../words/number.ts"
import { plainText } from "../../words/text.ts"
import { flag, number, oneOf, text } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { validateCommand } from "../run/stored-commands.ts"
import { storeOptions } from "../store/store-options.ts"
import { labelAnswers } from "./label-session.ts"
import { type LabelWish, labelQueue, nothingLeft } from "./queue.ts"
import { readLabels } from "./read-labels.ts"
import { type LabelScreenOptions, labelScreen } from "./screen.ts"

/** `evalkit label [run]`: a person's scores for the answers that need them, kept in the store. */
export const command: Command = {
  positionals: { run: text("id or its beginning; default: the newest") },
  options: {
    metric: text("judge metric to label for (default: the run's first)"),
    by: oneOf(
      ["doubt", "chance", "dispute"] as const,
      "doubt: answers on which judges are least certain; chance: a random part, to correct the mean; dispute: answers on which people differ",
      { default: "doubt" as const },
    ),
    adjudicate: flag("have the last word on answers on which people differ; their labels are shown and stay", {
      default: false,
    }),
    policy: text("name of the instructions that you label by"),
    limit: number("answers at most", { default: 20 }),
    threshold: number("score between good and bad (default: middle of the scale)"),
    scores: text("scores to choose from, such as 0,0.5,1"),
    labeller: text("your name in the labels (default: $USER)"),
    from: text("read labels from a file of rows {id, human, variant} instead of asking"),
    seed: number("seed of the order", { default: 42 }),
    ...storeOptions,
  },
  examples: {
    "$0 label": "the twenty most doubtful answers of the newest run",
    "$0 label 7f3a --adjudicate": "decide the answers on which people differ",
    "$0 label 7f3a --from labels.csv --by chance --labeller ann": "labels that exist already",
    "$0 label 7f3a --by chance --limit 50": "fifty at random, then: evalkit judge validate --run 7f3a",
  },

  async run(args, io) {
    if (typeof args.from === "string") return labelFrom(args.from, args, io)
    const { keys } = io
    if (!keys)
      throw new UsageError("labelling needs a person at a terminal", {
        where: "standard input is not a terminal",
        hint: 'label in a file instead, rows {"id", "variant", "human"}: evalkit label RUN --from FILE',
      })
    return closing(openStoreToChange(args, io), (store) => label(store, args, { ...io, keys }))
  },
}

/** `--from FILE`: the labels of a file. */
async function labelFrom(file: string, args: Args, io: CommandIo): Promise<number> {
  if (args.by === "dispute" || args.adjudicate === true)
    throw new UsageError("labels of a file are no last words", { where: "--from", hint: "--by chance or --by doubt" })
  return closing(openStoreToChange(args, io), async (store) => {
    const record = findRun(store, args.run as string | undefined)
    const labels = await readLabels(store, record, {
      file,
      directory: io.cwd,
      metric: args.metric as string | undefined,
      labeller: String(args.labeller ?? io.environment.USER ?? "somebody"),
      policy: args.policy as string | undefined,
      drawn: args.by as "doubt" | "chance",
      at: new Date().toISOString(),
    })
    await store.atomically(async () => {
      for (const label of labels) store.saveLabel(record.id, label)
    })
    renewJudgeCards(store, record)
    io.out(
      `${counted(labels.length, "label")} of ${plainText(file, 120)} saved. Compare judges with them: ${validateCommand(record.id, args, io)}\n`,
    )
    return ExitCode.ok
  })
}

async function label(store: RunStore, args: Args, io: CommandIo & Required<Pick<CommandIo, "keys">>): Promise<number> {
  const record = findRun(store, args.run as string | undefined)
  const decides = args.adjudicate === true
  const policy = args.policy as string | undefined
  const by = decides ? "dispute" : (args.by as LabelWish["by"])
  const queue = labelQueue(store, record, {
    labeller: String(args.labeller ?? io.environment.USER ?? "somebody"),
    metric: args.metric as string | undefined,
    by,
    adjudicate: decides,
    policy,
    limit: Number(args.limit),
    seed: Number(args.seed),
    threshold: (args.threshold as number) ?? null,
    scores: args.scores as string | undefined,
  })
  const { answers, kept, scores } = queue
  for (const label of kept) store.saveLabel(record.id, label)
  if (kept.length > 0) io.out(`${counted(kept.length, "answer")} of the draw had your label already and kept it.\n`)
  if (answers.length === 0) {
    if (kept.length === 0) io.out(`${nothingLeft(record.id, by, decides)}\n`)
    return ExitCode.ok
  }
  const count = await labelAnswers({
    answers,
    scores,
    keys: io.keys(),
    show: (answer, position) =>
      io.out(
        screenOf(store, record, answer, {
          metric: queue.metric,
          position: `${position + 1} of ${answers.length}`,
          scores,
          columns: io.columns,
          ...(policy !== undefined && { policy }),
          ...(decides && { labels: answer.labels }),
        }),
      ),
    save(answer, score) {
      store.saveLabel(record.id, queue.label(answer, score, new Date().toISOString()))
    },
  })
  renewJudgeCards(store, record)
  io.out(`\n${counted(count, "label")} saved. Compare judges with them: ${validateCommand(record.id, args, io)}\n`)
  return ExitCode.ok
}

function screenOf(store: RunStore, record: RunRecord, answer: JudgedAnswer, options: LabelScreenOptions): string {
  const sample = store.sample(record.dataset.fingerprint, answer.sampleId)
  const generation = store.generation(record.id, answer)
  if (!sample || !generation) throw new Error(`answer ${answer.sampleId} of ${answer.variant} is not in the store`)
  return labelScreen(sample, generation.text, options)
}
