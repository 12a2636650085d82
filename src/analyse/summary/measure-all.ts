import { messageOf } from "../../core/errors.ts"
import { runNotes } from "../../wording/judging.ts"
import { type MeasureSource, measureVariant, type VariantMeasures } from "./measure-variant.ts"
import { receiveMeasures } from "./sent-measures.ts"
import { sideBySide } from "./side-by-side.ts"
import { type SummaryThreads, startThreads } from "./summary-threads.ts"
import type { VariantTask } from "./variant-task.ts"

/** Other threads of a report. */
export interface SummaryHelp {
  /** Threads that may read variants beside this one. Absent: none. */
  readonly threads?: SummaryThreads | undefined
  /** Told when a thread fails. */
  note?(message: string): void
}

/** What variants are measured with, and what becomes of each. */
export interface MeasureAllOptions<Made> extends MeasureSource {
  readonly help: SummaryHelp
  /** Called in this thread, a variant at a time. */
  finish(task: VariantTask, measures: VariantMeasures): Promise<Made>
}

/**
 * Reads the variants of a run, several at a time where there are threads for it. A thread that fails costs time: its variant is read
 * here again.
 * @returns what became of each, in the order of the tasks
 */
export async function measureAll<Made>(
  tasks: readonly VariantTask[],
  { help, finish, ...source }: MeasureAllOptions<Made>,
): Promise<Made[]> {
  const started = startThreads(help.threads, tasks)
  try {
    return await sideBySide(tasks, {
      threads: started?.count ?? 0,
      here: (task) => measureVariant(task, source),
      there: async (task) => {
        if (!started) throw new Error("there is no other thread")
        return receiveMeasures(await started.score(task), source.answers)
      },
      finish,
      failed: (error) => help.note?.(runNotes.threadEnded(messageOf(error))),
      turn: source.turn,
    })
  } finally {
    await started?.close()
  }
}
