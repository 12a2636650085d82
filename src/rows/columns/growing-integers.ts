/** Whole numbers that are appended one by one: four bytes each, and nothing until one of them is not 0. */
export class GrowingIntegers {
  length = 0
  private held: Int32Array | null = null

  push(value: number): void {
    const index = this.length++
    if (this.held === null && value === 0) return
    if (this.held === null || index >= this.held.length) {
      const larger = new Int32Array(Math.max(1024, 2 * index))
      if (this.held) larger.set(this.held)
      this.held = larger
    }
    this.held[index] = value
  }

  /** Null where all of them are 0. */
  done(): Int32Array | null {
    return this.held ? this.held.slice(0, this.length) : null
  }
}
