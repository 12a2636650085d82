import { expect, it } from "vitest"
import { EvalkitError } from "../../../src/core/errors.ts"
import { storeLost } from "../../../src/core/run/run-store.ts"
import { createClaims } from "../../../src/pipeline/distribute/claims.ts"

function claimsOf() {
  let isLost = false
  const held = new Set<number>()
  const reach = (): void => {
    if (isLost) throw new EvalkitError("away", { code: storeLost })
  }
  const claims = createClaims<number>(
    (slice) => {
      reach()
      held.add(slice)
      return true
    },
    (slice) => {
      reach()
      held.delete(slice)
    },
  )
  return {
    claims,
    held,
    lose: (is: boolean) => {
      isLost = is
    },
  }
}

it("gives back late what it could not give back while the store was away", () => {
  const { claims, held, lose } = claimsOf()
  claims.take(1)
  lose(true)
  claims.release(1)
  expect([...held]).toEqual([1])
  lose(false)
  claims.releaseLate()
  expect([...held]).toEqual([])
})

it("keeps what it has taken anew since", () => {
  const { claims, held, lose } = claimsOf()
  claims.take(1)
  lose(true)
  claims.release(1)
  lose(false)
  claims.take(1)
  claims.releaseLate()
  expect([...held]).toEqual([1])
})
