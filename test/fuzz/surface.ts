import type fc from "fast-check"
import type { Room } from "./room.ts"

/** Something that reads what others wrote, and arbitrary inputs of it. */
export interface Surface {
  readonly name: string
  /** Its part of the cases; the parts of all surfaces are added up. */
  readonly share: number
  /** One more input at each call. */
  readonly inputs: (room: Room) => fc.Arbitrary<unknown>
  /** Gives an input to evalkit: what is wrong with how it took it, or null. */
  readonly attempt: (input: unknown, room: Room) => Promise<string | null> | string | null
}

/** A surface whose inputs are of one type. */
export function surface<Input>(
  name: string,
  share: number,
  inputs: (room: Room) => fc.Arbitrary<Input>,
  attempt: (input: Input, room: Room) => Promise<string | null> | string | null,
): Surface {
  return { name, share, inputs, attempt: attempt as Surface["attempt"] }
}
