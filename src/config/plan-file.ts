import { readdir, readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import { asMembers, isObject, jsonValue } from "../core/json-members.ts"
import type { DecidingFacts, FrozenPlan } from "../core/report/frozen-plan.ts"

/** How the names of frozen plans end, and the usual one. */
export const planEnding = ".plan.json"
export const defaultPlanFile = `evalkit${planEnding}`

/** A plan of these facts, frozen now, with its hash. */
export function freezePlan(config: string, decides: DecidingFacts, frozenAt: string): FrozenPlan {
  const plan = { schema: "evalkit.plan/1", frozenAt, config: basename(config), decides } as const
  return { ...plan, sha256: contentHash(plan, 64) }
}

/**
 * The plan that was frozen for a config: the file beside it that ends in `.plan.json` and names it; null where there is none.
 *
 * @param config absolute path
 * @throws {UsageError} `plan_invalid` for one that was changed after it was frozen, and where there are two
 */
export async function findPlan(config: string): Promise<FrozenPlan | null> {
  const folder = dirname(config)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(planEnding)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  const own = names.flatMap((name, i) => {
    const value = jsonValue(texts[i] as string, null)
    return isObject(value) && value.config === basename(config) ? [{ name, value }] : []
  })
  const [first, second] = own
  if (!first) return null
  if (second)
    throw new UsageError("two plans were frozen for one config", {
      code: "plan_invalid",
      where: `${first.name}, ${second.name}`,
      hint: "remove the one that does not count",
    })
  const { sha256, ...plan } = first.value
  const isWhole =
    plan.schema === "evalkit.plan/1" && asMembers(plan.decides) !== null && typeof plan.frozenAt === "string"
  if (isWhole && sha256 === contentHash(plan, 64)) return first.value as unknown as FrozenPlan
  throw new UsageError("the plan is not as it was when it was frozen", {
    code: "plan_invalid",
    where: first.name,
    hint: "restore it, or remove it and freeze a new one before the next run: evalkit plan --freeze",
  })
}
