import { importKeyBinding } from '@symbolon/crypto'
import {
  type ImportKeyRequest,
  type Received,
  wireWriter,
  writeImportKeyAnswer,
  writtenBytes,
} from '@symbolon/crypto/node'
import type { Attestor } from './attestor.ts'
import { transferOf } from './transfer-of.ts'
import type { Vault } from './vault.ts'

/**
 * Answers this boot's import key with an attestation document that offers it for one wallet to come (see
 * `importKeyBinding`); the body as it goes on the wire. Rejects when the secure module does not answer.
 */
export async function offerImportKey(
  vault: Vault,
  attestor: Attestor,
  request: Received<ImportKeyRequest>,
): Promise<Uint8Array> {
  const { publicKey } = vault.importKey
  // Copies: the request's bytes are gone after this turn.
  const nonce = Uint8Array.from(request.row.subarray(16, 32))
  const document = await attestor.attest({
    publicKey,
    nonce,
    userData: importKeyBinding(transferOf(request)),
  })
  const answer = wireWriter(256 + document.length)
  writeImportKeyAnswer(answer, { publicKey, document })
  return writtenBytes(answer)
}
