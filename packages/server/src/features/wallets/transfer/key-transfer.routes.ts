import { completeKeyExport, completeKeyImport, initiateKeyExport, initiateKeyImport } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { keyExport } from './key-export.ts'
import type { keyImport } from './key-import.ts'

const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))

/** The routes of keys that leave the enclave or enter it. */
export const keyTransferRoutes = ({
  exports,
  imports,
}: {
  exports: ReturnType<typeof keyExport>
  imports: ReturnType<typeof keyImport>
}) => [
  on(initiateKeyExport, ({ principal, body, fail, rate }) =>
    exports.initiate(principal, body?.curve ?? 'secp256k1', fail, rate),
  ),

  on(completeKeyExport, ({ principal, body, fail, rate, request: { address } }) => {
    const { export_id: id, code, recipient_public_key: recipient } = body
    return exports.complete({ principal, id, code, address, recipient: bytes(recipient) }, fail, rate)
  }),

  on(initiateKeyImport, ({ principal, body, fail, rate }) =>
    imports.initiate(principal, body?.curve ?? 'secp256k1', fail, rate),
  ),

  on(completeKeyImport, ({ principal, body, fail, rate, request: { address } }) => {
    const { import_id: id, code, enc, ciphertext } = body
    const sealed = { enc: bytes(enc), ciphertext: bytes(ciphertext) }
    return imports.complete({ principal, id, code, address, ...sealed }, fail, rate)
  }),
]
