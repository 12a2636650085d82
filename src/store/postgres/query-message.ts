import type { SqlValue } from "../tables/database.ts"

/** How a connection is made. */
export interface ConnectSettings {
  readonly url: string
  readonly schema: string
  /** Null: as the URL says (`sslmode`). */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } | null
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** What the thread is asked for. Statements of one message are sent together; the answer has a result each. */
export type QueryMessage =
  | { readonly kind: "connect"; readonly id: number; readonly settings: ConnectSettings }
  | { readonly kind: "query"; readonly id: number; readonly statements: readonly SentStatement[] }
  | { readonly kind: "close"; readonly id: number }

export interface SentStatement {
  readonly text: string
  /** Absent: a text of several statements without parameters. */
  readonly parameters?: readonly SqlValue[]
}

export interface QueryResult {
  readonly changes: number
  readonly names: readonly string[]
  readonly rows: SqlValue[][]
}

/** What the thread answers. */
export type QueryReply =
  | { readonly kind: "results"; readonly results: readonly QueryResult[] }
  | {
      readonly kind: "failed"
      readonly message: string
      /** SQLSTATE, or a code of the system; null where there is none. */
      readonly code: string | null
      /** The connection cannot be used any more. */
      readonly isLost: boolean
    }
