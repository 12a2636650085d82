import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { MeasuredCapacity, Price } from "../core/cost.ts"
import { messageOf, UsageError } from "../core/errors.ts"
import { asList, asMembers, type Members, parseJson } from "../core/json-members.ts"
import { isHardwarePrice } from "../cost/hardware.ts"

/**
 * A price whose capacity is that of the bench that it names: of the variant of this name, else of the only one of the file.
 *
 * @param folder where the file's path starts
 * @throws UsageError of a file that cannot be read, is not what `evalkit bench --json` prints, or holds no capacity of this variant
 */
export function withMeasuredCapacity(price: Price | null, variant: string, folder: string): Price | null {
  if (!isHardwarePrice(price) || typeof price.capacity !== "string") return price
  const file = price.capacity
  const fail = (what: string, hint: string) => {
    return new UsageError(what, { code: "config_invalid", where: `variant ${variant}, price.capacity ${file}`, hint })
  }
  if (price.requestsPerSecond !== undefined || price.tokensPerSecond !== undefined)
    throw fail("a price states its capacity twice", "leave out requestsPerSecond and tokensPerSecond, or capacity")
  let text: string
  try {
    text = readFileSync(resolve(folder, file), "utf8")
  } catch (cause) {
    throw fail(`the bench cannot be read: ${messageOf(cause)}`, "make it with: evalkit bench --slo … --json > FILE")
  }
  const parsed = parseJson(text)
  const list = "value" in parsed && Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : []
  const rows = list.flatMap((row): readonly Members[] => {
    const members = asMembers(row)
    return members ? [members] : []
  })
  const names = new Set(rows.flatMap((row) => (typeof row.variant === "string" ? [row.variant] : [])))
  if (names.size === 0)
    throw fail("this is not the output of evalkit bench --json", "make it with: evalkit bench --slo … --json > FILE")
  if (!names.has(variant) && names.size > 1)
    throw fail("the bench has several variants and none of this name", `it has ${[...names].slice(0, 10).join(", ")}`)
  const row = rows.find((entry) => names.size === 1 || entry.variant === variant)
  const capacity = capacityOf(asMembers(row?.capacity), file)
  if (!capacity)
    throw fail(
      "the bench found no load within objectives",
      "measure with --slo, at loads that it keeps: evalkit bench --sweep --slo … --json",
    )
  return { ...price, capacity }
}

function capacityOf(members: Members | null, file: string): MeasuredCapacity | null {
  const rate = members?.requests_per_second
  const objectives = asList(members?.objectives)?.filter((item) => typeof item === "string") ?? []
  if (typeof rate !== "number" || !(rate > 0) || objectives.length === 0) return null
  const [low, high] = (asList(members?.interval) ?? []).map((bound) =>
    typeof bound === "number" && bound > 0 ? bound : null,
  )
  return { file, requestsPerSecond: rate, low: low ?? null, high: high ?? null, objectives }
}
