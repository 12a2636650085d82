import { EvalkitError } from "../../src/core/errors.ts"

/**
 * The basis of the network simplex on a bipartite graph: a tree over sources, sinks and a root. Every node but the root hangs
 * on its parent by one arc: `upward` when the arc points to the parent. Arcs to the root are artificial, and too costly to
 * stay in use.
 */
export class SpanningTree {
  readonly #sources: number
  readonly #sinks: number
  readonly #cost: Float64Array
  readonly #artificialCost: number
  readonly #tolerance: number
  readonly #root: number
  readonly #parent: Int32Array
  readonly #upward: Uint8Array
  readonly #flow: Float64Array
  readonly #depth: Int32Array
  readonly #potential: Float64Array
  readonly #firstChild: Int32Array
  readonly #next: Int32Array
  readonly #previous: Int32Array
  #searchFrom = 0

  constructor(supply: Float64Array, demand: Float64Array, cost: Float64Array) {
    this.#sources = supply.length
    this.#sinks = demand.length
    this.#cost = cost
    const largest = cost.reduce((max, value) => Math.max(max, value), 0)
    this.#artificialCost = (largest + 1) * (supply.length + demand.length)
    this.#tolerance = 1e-13 * (largest + 1)
    const nodes = supply.length + demand.length
    this.#root = nodes
    this.#parent = new Int32Array(nodes + 1).fill(nodes)
    this.#parent[nodes] = -1
    this.#upward = new Uint8Array(nodes + 1).fill(1, 0, supply.length)
    this.#flow = Float64Array.of(...supply, ...demand, 0)
    this.#depth = new Int32Array(nodes + 1).fill(1)
    this.#depth[nodes] = 0
    this.#potential = new Float64Array(nodes + 1)
    this.#firstChild = new Int32Array(nodes + 1).fill(-1)
    this.#next = new Int32Array(nodes + 1).fill(-1)
    this.#previous = new Int32Array(nodes + 1).fill(-1)
    for (let node = 0; node < nodes; node++) {
      this.#attach(node, nodes)
      this.#potential[node] = node < supply.length ? -this.#artificialCost : this.#artificialCost
    }
  }

  /** Pivots until no arc saves anything. */
  solve(): void {
    const limit = 1000 * (this.#root + 10)
    for (let pivots = 0; pivots < limit; pivots++) {
      const arc = this.#enteringArc()
      if (arc < 0) return
      this.#pivot(Math.floor(arc / this.#sinks), this.#sources + (arc % this.#sinks))
    }
    throw new EvalkitError("the optimal transport was not found", { code: "transport_failed" })
  }

  /** The arcs that carry something: rows of supply, rows of demand. */
  eachFlow(visit: (source: number, sink: number, amount: number) => void): void {
    for (let node = 0; node < this.#root; node++) {
      const parent = this.#parent[node] as number
      const amount = this.#flow[node] as number
      if (parent === this.#root || amount <= 0) continue
      const [source, sink] = node < parent ? [node, parent] : [parent, node]
      visit(source, sink - this.#sources, amount)
    }
  }

  /** The arc of the next block that saves most per unit; −1 when none saves anything. */
  #enteringArc(): number {
    const arcs = this.#cost.length
    const block = Math.max(10, Math.ceil(Math.sqrt(arcs)))
    let best = -1
    let bestReduced = -this.#tolerance
    let arc = this.#searchFrom
    for (let seen = 1; seen <= arcs; seen++) {
      const source = Math.floor(arc / this.#sinks)
      const sink = this.#sources + (arc - source * this.#sinks)
      const reduced =
        (this.#cost[arc] as number) + (this.#potential[source] as number) - (this.#potential[sink] as number)
      if (reduced < bestReduced) {
        bestReduced = reduced
        best = arc
      }
      arc = arc + 1 === arcs ? 0 : arc + 1
      if (best >= 0 && seen % block === 0) break
    }
    this.#searchFrom = arc
    return best
  }

  /** Sends as much as it can around the cycle that source → sink closes, and takes the blocking arc out of the tree. */
  #pivot(source: number, sink: number): void {
    const join = this.#join(source, sink)
    let amount = Infinity
    let leaving = -1
    let onSourceSide = true
    for (let node = source; node !== join; node = this.#parent[node] as number)
      if (this.#upward[node] === 1 && (this.#flow[node] as number) < amount) {
        amount = this.#flow[node] as number
        leaving = node
      }
    // "Not more" and not "less": the last blocking arc of the cycle leaves, which keeps the tree strongly feasible.
    for (let node = sink; node !== join; node = this.#parent[node] as number)
      if (this.#upward[node] === 0 && (this.#flow[node] as number) <= amount) {
        amount = this.#flow[node] as number
        leaving = node
        onSourceSide = false
      }
    this.#send(source, join, amount, 1)
    this.#send(sink, join, amount, 0)
    if (onSourceSide) this.#hang(source, sink, leaving, amount, 1)
    else this.#hang(sink, source, leaving, amount, 0)
  }

  #join(left: number, right: number): number {
    let [a, b] = [left, right]
    while (a !== b) {
      if ((this.#depth[a] as number) >= (this.#depth[b] as number)) a = this.#parent[a] as number
      else b = this.#parent[b] as number
    }
    return a
  }

  /** Arcs whose direction equals `losing` carry less on the way up to the join, the others more. */
  #send(from: number, join: number, amount: number, losing: 0 | 1): void {
    for (let node = from; node !== join; node = this.#parent[node] as number) {
      const change = this.#upward[node] === losing ? -amount : amount
      this.#flow[node] = (this.#flow[node] as number) + change
    }
  }

  /** Cuts the subtree at `leaving`, turns it around so that `node` is its top, and hangs it on `parent` by the new arc. */
  #hang(node: number, parent: number, leaving: number, amount: number, upward: 0 | 1): void {
    let [current, newParent, newFlow, newUpward] = [node, parent, amount, upward as number]
    for (;;) {
      const [oldParent, oldFlow, oldUpward] = [
        this.#parent[current] as number,
        this.#flow[current] as number,
        this.#upward[current] as number,
      ]
      this.#detach(current, oldParent)
      this.#attach(current, newParent)
      this.#flow[current] = newFlow
      this.#upward[current] = newUpward
      if (current === leaving) break
      newParent = current
      newFlow = oldFlow
      newUpward = 1 - oldUpward
      current = oldParent
    }
    this.#refresh(node)
  }

  /** Depths and potentials of a subtree, from its top down: they follow from the parent's, so that no error builds up. */
  #refresh(top: number): void {
    const stack = [top]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const parent = this.#parent[node] as number
      this.#depth[node] = (this.#depth[parent] as number) + 1
      const cost = this.#arcCost(node, parent)
      this.#potential[node] = (this.#potential[parent] as number) + (this.#upward[node] === 1 ? -cost : cost)
      for (let child = this.#firstChild[node] as number; child >= 0; child = this.#next[child] as number)
        stack.push(child)
    }
  }

  #arcCost(node: number, parent: number): number {
    if (parent === this.#root || node === this.#root) return this.#artificialCost
    const [source, sink] = node < parent ? [node, parent] : [parent, node]
    return this.#cost[source * this.#sinks + (sink - this.#sources)] as number
  }

  #attach(node: number, parent: number): void {
    const first = this.#firstChild[parent] as number
    this.#parent[node] = parent
    this.#next[node] = first
    this.#previous[node] = -1
    if (first >= 0) this.#previous[first] = node
    this.#firstChild[parent] = node
  }

  #detach(node: number, parent: number): void {
    const [previous, next] = [this.#previous[node] as number, this.#next[node] as number]
    if (previous >= 0) this.#next[previous] = next
    else this.#firstChild[parent] = next
    if (next >= 0) this.#previous[next] = previous
  }
}
