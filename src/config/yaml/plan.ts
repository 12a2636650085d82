import type { ConfigNode, Offset } from "./config-node.ts"
import type { Schema } from "./config-schema.ts"

/** Something in a config that cannot be as it is. */
export interface Fault {
  readonly at: Offset
  readonly message: string
}

/** What a made value needs: the public values by name, the config's folder, and how a message is placed. */
export interface Making {
  readonly publicValue: (name: string) => unknown
  readonly folder: string
  readonly locate: (at: Offset) => string
}

/** What a part of a config means: its faults, found before anything is made, and how it is made. */
export interface Plan {
  readonly faults: readonly Fault[]
  readonly make: (making: Making) => unknown
}

/** How parts are read: what `$ref` points at, and where in the config the part stands, for messages. */
export interface Planner {
  readonly resolve: (schema: Schema) => Schema
  readonly plan: (node: ConfigNode, schema: Schema, path: string) => Plan
}

/** A part that is taken as it is. */
export function planOf(value: unknown): Plan {
  return { faults: [], make: () => value }
}

/** A part that cannot be as it is. */
export function planFault(at: Offset, message: string): Plan {
  return { faults: [{ at, message }], make: () => undefined }
}
