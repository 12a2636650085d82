import { price as priceSchema } from "../../../config/price-schema.ts"
import type { HardwarePrice } from "../../../core/cost.ts"
import type { RunRecord } from "../../../core/run/run-record.ts"
import { isHardwarePrice } from "../../../cost/hardware.ts"

/** The price of a variant's hardware as its run keeps it; null where tokens are paid, or the record says nothing that can be read. */
export function hardwareOnRecord({ config }: Pick<RunRecord, "config">, variant: string): HardwarePrice | null {
  const { variants } = config
  const kept = Array.isArray(variants) ? variants.find((entry) => isNamed(entry, variant)) : undefined
  const { data = null } = priceSchema.safeParse(kept?.price)
  return isHardwarePrice(data) ? data : null
}

function isNamed(value: unknown, name: string): value is { readonly price?: unknown } {
  return typeof value === "object" && value !== null && "name" in value && value.name === name
}
