import { expect, it } from "vitest"
import { EvalkitError } from "../../../src/core/errors.ts"
import { storeLost } from "../../../src/core/run/run-store.ts"
import { createClaims } from "../../../src/pipeline/distribute/claims.ts"

function claimsOf() {
  let isLost = false
  let isConfirmed = true
  const held = new Set<number>()
  const reach = (): void => {
    if (isLost) throw new EvalkitError("away", { code: storeLost })
  }
  const claims = createClaims<number>(
    (slice) => {
      reach()
      held.add(slice)
      if (!isConfirmed) throw new EvalkitError("away", { code: storeLost })
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
    confirm: (is: boolean) => {
      isConfirmed = is
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

it("gives back what it was not told that it has taken", () => {
  const { claims, held, confirm } = claimsOf()
  confirm(false)
  expect(() => claims.take(1)).toThrow("away")
  expect([...held]).toEqual([1])
  claims.releaseLate()
  expect([...held]).toEqual([])
})

it("keeps what it holds while it takes it once more in vain", () => {
  const { claims, held, confirm } = claimsOf()
  claims.take(1)
  confirm(false)
  expect(() => claims.take(1)).toThrow("away")
  claims.releaseLate()
  expect([...held]).toEqual([1])
})
