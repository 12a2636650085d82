import type { Evaluate } from "./evaluate.ts"
import type { Value } from "./value.ts"

/** How far two numbers may be apart and count as equal. */
export interface Tolerance {
  readonly absolute: number
  /** As a share of the reference's magnitude. */
  readonly relative: number
}

/** By how much two values of double precision may differ that are computed in different ways, as a share. */
const rounding = 1e-12

/** Whether telling if a value equals another takes an evaluator. */
export function hasExpression(value: Value): boolean {
  return value.kind === "list" ? value.members.some(hasExpression) : value.kind === "expression"
}

/**
 * Whether an answer's value is the reference's, each as a whole: numbers by their exact decimals where no tolerance is allowed, tuples member
 * by member and with their brackets, everything else sign by sign. A percentage equals the number before its sign.
 *
 * @param evaluate of expressions; absent where neither has one
 */
export function equalValues(answer: Value, reference: Value, tolerance: Tolerance, evaluate?: Evaluate): boolean {
  if (answer.kind === "list" || reference.kind === "list") {
    if (answer.kind !== "list" || reference.kind !== "list") return false
    const [own, expected] = [answer.members, reference.members]
    if (own.length !== expected.length || !sameBrackets(answer.brackets, reference.brackets)) return false
    const isSet = [answer, reference].some(({ brackets }) => brackets === "⦃⦄")
    const equal = (value: Value, other: Value) => equalValues(value, other, tolerance, evaluate)
    return isSet
      ? expected.every((other) => own.some((value) => equal(value, other)))
      : expected.every((other, i) => equal(own[i] as Value, other))
  }
  if (answer.kind === "other" || reference.kind === "other") return sameText(answer, reference)
  if (answer.kind === "number" && reference.kind === "number")
    return answer.decimal === reference.decimal || isNear(Number(answer.decimal), Number(reference.decimal), tolerance)
  const [x, y] = [numberOf(answer, evaluate), numberOf(reference, evaluate)]
  if (x === null || y === null) return sameText(answer, reference)
  return isNear(x, y, tolerance) || Math.abs(x - y) <= rounding * Math.max(Math.abs(x), Math.abs(y))
}

/** The value as the number that it may have been meant as: with its separator the other way, or as a share where it is a percentage. */
export function otherReadings(value: Value): readonly Value[] {
  if (value.kind !== "number") return []
  const { decimal, alternate, isPercent } = value
  const share = isPercent ? [String(Number((Number(decimal) / 100).toPrecision(15)))] : []
  return [...(alternate === undefined ? [] : [alternate]), ...share].map((number) => ({
    kind: "number",
    decimal: number,
    isPercent: false,
  }))
}

function sameText(answer: Value, reference: Value): boolean {
  return "text" in answer && "text" in reference && answer.text === reference.text
}

/** Brackets that were left out are as the other's; intervals and tuples differ. */
function sameBrackets(first: string, second: string): boolean {
  return first === second || first === "" || second === ""
}

function isNear(answer: number, reference: number, { absolute, relative }: Tolerance): boolean {
  if (absolute === 0 && relative === 0) return false
  const difference = Math.abs(answer - reference)
  return difference <= absolute || difference <= relative * Math.abs(reference)
}

function numberOf(value: Value, evaluate: Evaluate | undefined): number | null {
  if (value.kind === "number") return Number(value.decimal)
  return value.kind === "expression" ? (evaluate?.(value.text) ?? null) : null
}
