import { UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { camelTo } from "../../words/names.ts"
import type { Args } from "../command.ts"

/**
 * Refuses what is asked of a run and a load test does not have.
 *
 * @param names options by their names in the arguments
 * @throws {UsageError} naming the first of them
 */
export function refuseForBench({ id }: Pick<RunRecord, "id">, args: Args, names: readonly string[]): void {
  const name = names.find((option) => args[option] !== undefined && args[option] !== false)
  if (name === undefined) return
  throw new UsageError("a load test has no samples and answers", {
    where: `bench ${id}, --${camelTo("-", name)}`,
    hint: `see it with: evalkit show ${id}`,
  })
}
