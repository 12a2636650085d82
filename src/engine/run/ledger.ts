/** What was spent on one purpose (a judge, the claims of a lens …). */
export interface LedgerEntry {
  readonly purpose: string
  readonly calls: number
  readonly replayed: number
  /** `null` when a price was unknown. */
  readonly costUsd: number | null
  readonly seconds: number
}

/** Books the calls that metrics make to models of their own. */
export interface Ledger {
  /** Adds to what is known of the purpose. */
  book(entry: LedgerEntry): void
  /** What was booked since the last time, by purpose: the caller writes it down. */
  take(): readonly LedgerEntry[]
}

/** An empty ledger. */
export function createLedger(): Ledger {
  const entries = new Map<string, LedgerEntry>()
  return {
    book(entry) {
      const before = entries.get(entry.purpose)
      entries.set(entry.purpose, before ? sum(before, entry) : entry)
    },
    take() {
      const taken = [...entries.values()]
      entries.clear()
      return taken
    },
  }
}

function sum(a: LedgerEntry, b: LedgerEntry): LedgerEntry {
  return {
    purpose: a.purpose,
    calls: a.calls + b.calls,
    replayed: a.replayed + b.replayed,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    seconds: a.seconds + b.seconds,
  }
}
