import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { counted } from "../../engine/decide/phrases.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { chooseAnswers, type Drawn } from "../../engine/report/judge-card/choose-answers.ts"
import type { JudgedAnswer } from "../../engine/report/judge-card/judged-answer.ts"
import { isDisputed } from "../../engine/report/judge-card/people.ts"
import { storedVerdicts } from "../../engine/report/judge-card/stored-verdicts.ts"
import type { Command, CommandIo } from "../command.ts"
import { labelAnswers } from "../label/label-session.ts"
import { labelScores } from "../label/scale.ts"
import { type LabelScreenOptions, labelScreen } from "../label/screen.ts"
import { openStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit label [run]`: a person's scores for the answers that need them, kept in the store. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id or its beginning; default: the newest" })
      .option("metric", { type: "string", describe: "judge metric to label for (default: the run's first)" })
      .option("by", {
        choices: ["doubt", "chance", "dispute"] as const,
        default: "doubt" as const,
        describe:
          "doubt: answers on which judges are least certain; chance: a random part, to correct the mean; dispute: answers on which people differ",
      })
      .option("adjudicate", {
        type: "boolean",
        default: false,
        describe: "have the last word on answers on which people differ; their labels are shown and stay",
      })
      .option("policy", { type: "string", describe: "name of the instructions that you label by" })
      .option("limit", { type: "number", default: 20, describe: "answers at most" })
      .option("threshold", { type: "number", describe: "score between good and bad (default: middle of the scale)" })
      .option("scores", { type: "string", describe: "scores to choose from, such as 0,0.5,1" })
      .option("labeller", { type: "string", describe: "your name in the labels (default: $USER)" })
      .option("seed", { type: "number", default: 42, describe: "seed of the order" })
      .options(storeOptions)
      .example("$0 label", "the twenty most doubtful answers of the newest run")
      .example("$0 label 7f3a --adjudicate", "decide the answers on which people differ")
      .example("$0 label 7f3a --by chance --limit 50", "fifty at random, then: evalkit judge validate --run 7f3a"),

  async run(args, io) {
    if (!io.keys)
      throw new UsageError("labelling needs a person at a terminal", {
        where: "standard input is not a terminal",
        hint: 'label in a file instead: rows {"id", "judge", "human"} for evalkit judge validate',
      })
    const store = openStore(args, io)
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
  const decides = args.adjudicate === true
  const policy = args.policy as string | undefined
  const wanted = args.metric as string | undefined
  const { metric, answers } = storedVerdicts(store, record, wanted, decides ? policy : undefined)
  const labeller = String(args.labeller ?? io.environment.USER ?? "somebody")
  const given = {
    metric,
    labeller,
    ...(policy !== undefined && { policy }),
    ...(decides && { role: "last_word" as const }),
  }
  const own = store
    .labels(record.id)
    .filter(
      (one) => one.labeller === labeller && one.metric === metric && one.policy === policy && one.role === given.role,
    )
  const done = new Map(own.map((one) => [keyOf(one), one]))
  const by = decides ? "dispute" : (args.by as Drawn | "dispute")
  const drawn: Drawn = by === "chance" ? "chance" : "doubt"
  const candidates = (by === "dispute" ? disputed(answers, decides) : answers).filter((answer) => {
    const known = done.get(keyOf(answer))
    // A draw by chance must be able to meet the doubtful answers that have a label already: what is left without them is better.
    return !known || (drawn === "chance" && known.drawn !== "chance")
  })
  if (candidates.length === 0 && by === "dispute") {
    io.out(
      `No answer of run ${record.id} has labels that differ${decides ? " and no last word" : " and lacks yours"}.\n`,
    )
    return ExitCode.ok
  }
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
      io.out(
        screenOf(store, record, answer, {
          position: `${position + 1} of ${chosen.length}`,
          scores,
          columns: io.columns,
          ...(policy !== undefined && { policy }),
          ...(decides && { labels: answer.labels }),
        }),
      ),
    save({ variant, sampleId, repeat }, score) {
      const at = new Date().toISOString()
      store.saveLabel(record.id, { ...given, variant, sampleId, repeat, score, drawn, at })
    },
  })
  io.out(`\n${counted(count, "label")} saved. Compare judges with them: evalkit judge validate --run ${record.id}\n`)
  return ExitCode.ok
}

/** Answers on which people differ; for the last word those that have none yet. */
function disputed(answers: readonly JudgedAnswer[], decides: boolean): readonly JudgedAnswer[] {
  return answers.filter((answer) => isDisputed(answer) && !(decides && answer.lastWord !== null))
}

function screenOf(store: RunStore, record: RunRecord, answer: JudgedAnswer, options: LabelScreenOptions): string {
  const sample = store.sample(record.dataset.fingerprint, answer.sampleId)
  const generation = store.generation(record.id, answer)
  if (!sample || !generation) throw new Error(`answer ${answer.sampleId} of ${answer.variant} is not in the store`)
  return labelScreen(sample, generation.text, options)
}

function keyOf({ variant, sampleId, repeat }: { variant: string; sampleId: string; repeat: number }): string {
  return `${variant}\u0000${repeat}\u0000${sampleId}`
}
