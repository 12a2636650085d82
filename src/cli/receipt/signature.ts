import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { messageOf, UsageError } from "../../core/errors.ts"
import { canonicalJson } from "../../core/json.ts"
import type { Receipt, ReceiptBody, ReceiptDifference, ReceiptSignature } from "../../core/report/receipt.ts"

/**
 * Signs the canonical JSON of a receipt.
 *
 * @param pem a private Ed25519 key in PEM
 * @throws {UsageError} for any other key, and one that is locked by a passphrase
 */
export function signReceipt(body: ReceiptBody, pem: string, where: string): ReceiptSignature {
  const key = keyOf(() => createPrivateKey(pem), where)
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64")
  return { algorithm: "Ed25519", publicKey, value: sign(null, bytesOf(body), key).toString("base64") }
}

/**
 * What is wrong with the signature of a receipt.
 *
 * @param expected the public key, in PEM, that must have signed it; null: any, or none
 */
export function signatureFaults(
  { signature, ...body }: Receipt,
  expected: { readonly pem: string; readonly where: string } | null,
): readonly ReceiptDifference[] {
  const keyId = expected && idOf(keyOf(() => createPublicKey(expected.pem), expected.where))
  const fault = (key: string, before: string | null, after: string | null): ReceiptDifference => ({
    about: "signature",
    path: `signature.${key}`,
    of: null,
    keys: [key],
    before,
    after,
  })
  if (!signature) return keyId === null ? [] : [fault("missing", keyId, null)]
  const isKey = keyId === null || keyId === signature.publicKey
  return [
    ...(isKey ? [] : [fault("publicKey", keyId, signature.publicKey)]),
    ...(isSigned(body, signature) ? [] : [fault("value", signature.value, null)]),
  ]
}

function isSigned(body: ReceiptBody, { publicKey, value }: ReceiptSignature): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" })
    return key.asymmetricKeyType === "ed25519" && verify(null, bytesOf(body), key, Buffer.from(value, "base64"))
  } catch {
    return false
  }
}

function idOf(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("base64")
}

function bytesOf(body: ReceiptBody): Uint8Array {
  return Buffer.from(canonicalJson(body))
}

function keyOf(read: () => KeyObject, where: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (error) {
    throw new UsageError("the key cannot be read", {
      code: "key_invalid",
      where: `${where} (${messageOf(error)})`,
      cause: error,
      hint: "a key is PEM without a passphrase; make one with: openssl genpkey -algorithm ed25519 -out key.pem",
    })
  }
  if (key.asymmetricKeyType === "ed25519") return key
  throw new UsageError("receipts are signed with Ed25519", {
    code: "key_invalid",
    where: `${where} (${key.asymmetricKeyType})`,
    hint: "make a key with: openssl genpkey -algorithm ed25519 -out key.pem",
  })
}
