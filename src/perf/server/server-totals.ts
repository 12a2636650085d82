import type { ClientTotals, ServerTotals } from "../../core/run/server-totals.ts"

type Gauge = ServerTotals["gauges"][string]
type Sum = ServerTotals["sums"][string]

/**
 * Two parts of a run added up: sums and readings add, a restart of either counts. What only one of them has is kept as it is, since a server
 * shows some of its metrics from the first event on.
 *
 * @example addTotals(null, later) // later
 */
export function addTotals(before: ServerTotals | null | undefined, now: ServerTotals | null): ServerTotals | null {
  if (!before || !now) return now ?? before ?? null
  const client = before.client && now.client ? addClient(before.client, now.client) : (before.client ?? now.client)
  // A part without buckets, of an older version, would leave percentiles of the other part alone.
  const buckets =
    before.buckets && now.buckets && merged(before.buckets, now.buckets, (a, b) => merged(a, b, (c, d) => c + d))
  return {
    dialect: now.dialect,
    // Another program's counters are no continuation of the first one's.
    restarted: before.restarted || now.restarted || before.dialect !== now.dialect,
    sums: merged(before.sums, now.sums, addSums),
    gauges: merged(before.gauges, now.gauges, addGauges),
    ...(buckets && { buckets }),
    ...(client && { client }),
  }
}

function merged<Value>(
  a: Readonly<Record<string, Value>>,
  b: Readonly<Record<string, Value>>,
  add: (a: Value, b: Value) => Value,
): Record<string, Value> {
  const all = new Map(Object.entries(a))
  for (const [name, value] of Object.entries(b)) {
    const existing = all.get(name)
    all.set(name, existing === undefined ? value : add(existing, value))
  }
  return Object.fromEntries(all)
}

function addSums(a: Sum, b: Sum): Sum {
  return { value: a.value + b.value, count: a.count + b.count }
}

function addGauges(a: Gauge, b: Gauge): Gauge {
  return { sum: a.sum + b.sum, n: a.n + b.n, most: Math.max(a.most, b.most) }
}

/** What the client sent and saw in two parts. */
export function addClient(a: ClientTotals, b: ClientTotals): ClientTotals {
  return {
    requests: a.requests + b.requests,
    failed: (a.failed ?? 0) + (b.failed ?? 0),
    answers: a.answers + b.answers,
    ttftMs: a.ttftMs + b.ttftMs,
    e2eMs: a.e2eMs + b.e2eMs,
  }
}
