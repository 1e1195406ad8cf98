import { isEd25519Signature } from './curves/is-ed25519-signature.ts'
import { type Payload, parsePayload as parse } from './payload.ts'

/** `parsePayload` with a library at hand that checks what others signed. */
export function parsePayload(
  ...[networks, intent, curve, publicKey, known]: Parameters<typeof parse>
): Payload {
  return parse(networks, intent, curve, publicKey, { isSignature: isEd25519Signature, ...known })
}
