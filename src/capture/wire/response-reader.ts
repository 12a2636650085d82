import type { Recording } from "./recording.ts"
import { endOfHead, maxHeadLength, type ResponseHead, readHead } from "./response-head.ts"
import { badResponse, otherSideClosed, WireError } from "./wire-error.ts"

/** Parts of a response. */
const [head, body, chunkSize, chunkExtension, chunkData, chunkEnd, trailers, untilClose, complete] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
]

/** The line that begins a chunk: its size and what may stand behind it. */
const maxChunkLineLength = 4096

/** Digits of a chunk's size: up to 2^48 bytes. */
const maxSizeDigits = 12

const [lineFeed, carriageReturn, semicolon, space, tab] = [10, 13, 59, 32, 9]

/**
 * Reads one response after another of a connection (RFC 9112) into a recording: strict where two readers could see different
 * ends of a message, and bounded in all that is not the body. One piece for each read that brought some of the body.
 */
export class ResponseReader {
  /** Of the response that is being read; null before its head has come. */
  head: ResponseHead | null = null
  headText = ""
  headMs = Number.NaN
  /** Something came behind the response, which nobody asked for. */
  hasExcess = false
  #part = head
  #held = ""
  /** Bytes that are missing of the body or of the chunk. */
  #left = 0
  #digits = 0
  #line = 0
  /** A carriage return came, behind which a line feed has to. */
  #hasReturn = false

  /** Ready for the next response. */
  reset(): void {
    this.head = null
    this.headText = ""
    this.headMs = Number.NaN
    this.hasExcess = false
    this.#part = head
    this.#held = ""
    this.#hasReturn = false
  }

  get isComplete(): boolean {
    return this.#part === complete
  }

  /**
   * Takes what one read brought.
   *
   * @param length bytes of `bytes` that are meant
   * @throws WireError for what is no HTTP
   */
  read(bytes: Buffer, length: number, atMs: number, into: Recording): void {
    let at = 0
    let hasPiece = false
    while (at < length) {
      if (this.#part === head) at = this.#readHead(bytes, at, length, atMs)
      else if (this.#part === body || this.#part === chunkData || this.#part === untilClose) {
        if (!hasPiece) into.begin(atMs)
        hasPiece = true
        const end = this.#part === untilClose ? length : Math.min(length, at + this.#left)
        into.add(bytes, at, end)
        this.#left -= end - at
        at = end
        if (this.#left === 0) this.#part = this.#part === body ? complete : chunkEnd
      } else if (this.#part === complete) {
        this.hasExcess = true
        return
      } else this.#readFraming(bytes[at++] as number)
    }
  }

  /**
   * The server has ended the connection.
   *
   * @throws WireError when the response was not complete
   */
  end(): void {
    const endsHere = this.#part === untilClose || (this.head?.body === "chunked" && !this.head.keepAlive)
    if (!endsHere) throw otherSideClosed()
    this.#part = complete
  }

  #readHead(bytes: Buffer, at: number, length: number, atMs: number): number {
    const before = this.#held.length
    const text = this.#held + bytes.toString("latin1", at, Math.min(length, at + maxHeadLength + 1 - before))
    const end = endOfHead(text, Math.max(0, before - 3))
    if (end < 0 || end > maxHeadLength) {
      if (text.length > maxHeadLength) throw new WireError("Headers Overflow Error", "UND_ERR_HEADERS_OVERFLOW")
      this.#held = text
      return length
    }
    this.#held = ""
    const responseHead = readHead(end === text.length ? text : text.slice(0, end))
    if (responseHead.isHttp2) throw badResponse("it has no status line")
    if (responseHead.status === 101) throw badResponse("it changes the protocol")
    // Interim responses come before the one that counts.
    if (responseHead.status >= 200) this.#begin(responseHead, text.slice(0, end), atMs)
    return at + end - before
  }

  #begin(responseHead: ResponseHead, text: string, atMs: number): void {
    this.head = responseHead
    this.headText = text
    this.headMs = atMs
    if (responseHead.body === "chunked") this.#beginChunk()
    else if (responseHead.body === "close") {
      this.#part = untilClose
      this.#left = Number.POSITIVE_INFINITY
    } else {
      this.#left = responseHead.body
      this.#part = responseHead.body === 0 ? complete : body
    }
  }

  #beginChunk(): void {
    this.#part = chunkSize
    this.#left = 0
    this.#digits = 0
    this.#line = 0
  }

  /** One byte of what stands between the pieces of a chunked body. */
  #readFraming(byte: number): void {
    if (this.#hasReturn && byte !== lineFeed) throw badResponse("a carriage return stands inside a line")
    this.#hasReturn = byte === carriageReturn
    if (this.#part === trailers) this.#readTrailer(byte)
    else if (this.#part !== chunkEnd) this.#readSize(byte)
    else if (byte === lineFeed) this.#beginChunk()
    else if (byte !== carriageReturn) throw badResponse("a chunk is longer than its size")
  }

  #readSize(byte: number): void {
    if (++this.#line > maxChunkLineLength) throw badResponse("the line of a chunk's size has no end")
    if (byte === lineFeed) {
      if (this.#digits === 0) throw badResponse("a chunk has no size")
      this.#part = this.#left === 0 ? trailers : chunkData
      this.#line = 0
      this.#digits = 0
      return
    }
    if (this.#part === chunkExtension || byte === carriageReturn) return
    if (byte === semicolon || byte === space || byte === tab) {
      this.#part = chunkExtension
      return
    }
    const digit = hexDigit(byte)
    if (digit < 0 || ++this.#digits > maxSizeDigits) throw badResponse("the size of a chunk is no number")
    this.#left = this.#left * 16 + digit
  }

  /** Trailers are read over; an empty line ends them. `#digits` counts the characters of the line. */
  #readTrailer(byte: number): void {
    if (++this.#line > maxHeadLength) throw new WireError("Headers Overflow Error", "UND_ERR_HEADERS_OVERFLOW")
    if (byte === lineFeed) {
      if (this.#digits === 0) this.#part = complete
      this.#digits = 0
    } else if (byte !== carriageReturn) this.#digits++
  }
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
