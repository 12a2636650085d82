import type { Variant } from "../core/variant.ts"
import type { EndpointGuards } from "./call-model.ts"
import type { RunControl } from "./control.ts"

/** Why a variant, or the user that it talks with, is not asked any more; null while it is. */
export function givenUpBecause(
  control: Pick<RunControl, "variantGuards" | "metricGuards">,
  variant: Variant,
): string | null {
  const reasonOf = ({ refusals, breaker }: EndpointGuards) => refusals.reason() ?? breaker.reason()
  const user = variant.episode?.user
  const ofUser = user ? reasonOf(control.metricGuards(user.provider)) : null
  return reasonOf(control.variantGuards(variant)) ?? (ofUser === null ? null : `its simulated user: ${ofUser}`)
}
