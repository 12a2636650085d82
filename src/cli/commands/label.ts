import { resolve } from "node:path"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { counted } from "../../engine/decide/phrases.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { chooseAnswers, type Drawn } from "../../engine/report/judge-card/choose-answers.ts"
import type { JudgedAnswer } from "../../engine/report/judge-card/judged-answer.ts"
import { storedVerdicts } from "../../engine/report/judge-card/stored-verdicts.ts"
import { openRunStore } from "../../store/run-store.ts"
import type { Command, CommandIo } from "../command.ts"
import { labelAnswers } from "../label/label-session.ts"
import { labelScores } from "../label/scale.ts"
import { labelScreen } from "../label/screen.ts"
import { defaultDirectory } from "../project-store.ts"

/** `evalkit label [run]`: a person's scores for the answers that need them, kept in the store. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id or its beginning; default: the newest" })
      .option("metric", { type: "string", describe: "judge metric to label for (default: the run's first)" })
      .option("by", {
        choices: ["doubt", "chance"] as const,
        default: "doubt" as const,
        describe: "doubt: answers on which judges are least certain; chance: a random part, to correct the mean",
      })
      .option("limit", { type: "number", default: 20, describe: "answers at most" })
      .option("threshold", { type: "number", describe: "score between good and bad (default: middle of the scale)" })
      .option("scores", { type: "string", describe: "scores to choose from, such as 0,0.5,1" })
      .option("labeller", { type: "string", describe: "your name in the labels (default: $USER)" })
      .option("seed", { type: "number", default: 42, describe: "seed of the order" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 label", "the twenty most doubtful answers of the newest run")
      .example("$0 label 7f3a --by chance --limit 50", "fifty at random, then: evalkit judge validate --run 7f3a"),

  async run(args, io) {
    if (!io.keys)
      throw new UsageError("labelling needs a person at a terminal", {
        where: "standard input is not a terminal",
        hint: 'label in a file instead: rows {"id", "judge", "human"} for evalkit judge validate',
      })
    const store = openRunStore(resolve(io.cwd, String(args.directory ?? defaultDirectory)))
    try {
      return await label(store, args, { ...io, keys: io.keys })
    } finally {
      store.close()
    }
  },
}

async function label(
  store: RunStore,
  args: Readonly<Record<string, unknown>>,
  io: CommandIo & Required<Pick<CommandIo, "keys">>,
): Promise<number> {
  const record = findRun(store, args.run as string | undefined)
  const { metric, answers } = storedVerdicts(store, record, args.metric as string | undefined)
  const labeller = String(args.labeller ?? io.environment.USER ?? "somebody")
  const own = store.labels(record.id).filter((one) => one.labeller === labeller && one.metric === metric)
  const done = new Map(own.map((one) => [keyOf(one), one]))
  const drawn = args.by as Drawn
  // A draw by chance must be able to meet the doubtful answers that have a label already: what is left without them is better.
  const candidates = answers.filter((answer) => {
    const known = done.get(keyOf(answer))
    return !known || (drawn === "chance" && known.drawn !== "chance")
  })
  const draw = chooseAnswers(candidates, {
    drawn,
    limit: Number(args.limit),
    seed: Number(args.seed),
    threshold: (args.threshold as number) ?? null,
  })
  const chosen = draw.filter((answer) => !done.has(keyOf(answer)))
  for (const answer of draw) {
    const known = done.get(keyOf(answer))
    if (known) store.saveLabel(record.id, { ...known, drawn })
  }
  if (draw.length > chosen.length)
    io.out(`${counted(draw.length - chosen.length, "answer")} of the draw had your label already and kept it.\n`)
  if (chosen.length === 0 && draw.length > 0) return ExitCode.ok
  if (chosen.length === 0) {
    io.out(`Every answer of run ${record.id} has your label already.\n`)
    return ExitCode.ok
  }
  const scores = labelScores(answers, args.scores as string | undefined)
  const count = await labelAnswers({
    answers: chosen,
    scores,
    keys: io.keys(),
    show: (answer, position) =>
      io.out(screenOf(store, record, answer, `${position + 1} of ${chosen.length}`, scores, io)),
    save({ variant, sampleId, repeat }, score) {
      const at = new Date().toISOString()
      store.saveLabel(record.id, { variant, sampleId, repeat, metric, score, labeller, drawn, at })
    },
  })
  io.out(`\n${counted(count, "label")} saved. Compare judges with them: evalkit judge validate --run ${record.id}\n`)
  return ExitCode.ok
}

function screenOf(
  store: RunStore,
  record: RunRecord,
  answer: JudgedAnswer,
  position: string,
  scores: readonly number[],
  io: CommandIo,
): string {
  const sample = store.sample(record.dataset.fingerprint, answer.sampleId)
  const generation = store.generation(record.id, answer)
  if (!sample || !generation) throw new Error(`answer ${answer.sampleId} of ${answer.variant} is not in the store`)
  return labelScreen(sample, generation.text, { position, scores, columns: io.columns })
}

function keyOf({ variant, sampleId, repeat }: { variant: string; sampleId: string; repeat: number }): string {
  return `${variant}\u0000${repeat}\u0000${sampleId}`
}
