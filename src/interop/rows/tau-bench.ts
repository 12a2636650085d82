import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, textOf } from "../fields.ts"
import type { Occasions } from "../occasions.ts"
import type { JsonDocument } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

const facts: Pick<ForeignLog, "tool"> & Partial<ForeignLog> = {
  tool: "tau-bench",
  isUniform: true,
  metrics: new Map([["reward", { direction: "higher", range: [0, 1] }]]),
}

/** Trajectories of τ-bench: a conversation with its reward, a trial of a task each. */
export const tauBench: RowFormat = {
  is: (row) => "task_id" in row && "reward" in row && "traj" in row,
  open: (file) => rowsLog(file, facts, (row, where, occasions) => trialOf(row, {}, where, occasions)),
}

/** Whether a document holds simulations of τ²-bench. */
export function isTauSimulations(document: JsonObject): boolean {
  return listOf(document.simulations).some(
    (run) => member(run, "task_id") !== undefined && member(run, "messages") !== undefined,
  )
}

/** Simulations of τ²-bench. */
export function tauSimulations(document: JsonDocument, { info }: JsonObject): ForeignLog {
  const variant = textOf(member(info, "agent_info", "llm"))
  const dataset = textOf(member(info, "environment_info", "domain_name")) ?? "tau-bench"
  return rowsLog(document.rows("simulations"), { ...facts, dataset }, (row, where, occasions) =>
    trialOf(row, variant === undefined ? {} : { variant }, where, occasions),
  )
}

/** A trial that ended with an error of its own has no reward of the model's: it is a failure. */
function trialOf(
  row: JsonObject,
  named: { readonly variant?: string },
  where: string,
  occasions: Occasions,
): ForeignRecord | SkippedRow {
  const id = textOf(row.task_id)
  const messages = listOf(row.traj ?? row.messages)
  const reward = numberOf(row.reward) ?? numberOf(member(row.reward_info, "reward"))
  const error =
    textOf(member(row.info, "error")) ??
    (/error/.test(textOf(row.termination_reason) ?? "") ? textOf(row.termination_reason) : undefined)
  const seconds = numberOf(row.duration)
  const costUsd = numberOf(row.agent_cost)
  return rowRecord(
    {
      ...named,
      input: id === undefined ? undefined : `task ${id}`,
      ...(id !== undefined && { id }),
      text: said(messages.findLast((message) => member(message, "role") === "assistant" && said(message) !== "")),
      ...(error === undefined ? { outcome: "ok" as const } : { failed: error }),
      ...(seconds !== undefined && { e2eMs: seconds * 1000 }),
      ...(costUsd !== undefined && { costUsd }),
      scores: {
        reward: error === undefined && reward !== undefined ? reward : { reason: error ?? "the trial has no reward" },
      },
    },
    "τ-bench",
    where,
    occasions,
  )
}

function said(message: JsonValue | undefined): string {
  return textOf(member(message, "content")) ?? ""
}
