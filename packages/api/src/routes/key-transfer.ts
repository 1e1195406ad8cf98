import * as z from 'zod'
import { Id } from '../formats.ts'
import {
  CompleteKeyExport,
  CompleteKeyImport,
  ExportedKey,
  InitiateKeyTransfer,
  KeyExport,
  KeyExportStart,
  KeyImportStart,
} from '../key-transfer.ts'
import type { Route } from '../route.ts'
import { Wallet } from '../wallet.ts'

const suite = 'HPKE base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM'
const aad = 'the RFC 8785 JSON of `{curve, organization_id, user_identity_id, wallet_id}`'

/** Emails the code of an export. */
export const initiateKeyExport = {
  id: 'keyExport.initiate',
  method: 'POST',
  path: '/v1/wallets/me/export/initiate',
  lane: 'wallet',
  limit: 'export-start',
  summary: 'Start the export of a private key',
  description:
    'TEE mode only. Emails a code that is valid for ten minutes and five attempts, for this export only. Starting again cancels the previous export of the wallet. At most ten a day per wallet.',
  body: InitiateKeyTransfer,
  status: 200,
  data: KeyExportStart,
  errors: [
    'signing_mode_mismatch',
    'export_disabled',
    'invalid_curve',
    'no_email',
    'wallet_not_found',
    'wallet_archived',
  ],
} as const satisfies Route

/** Trades the code of an export for the sealed key. */
export const completeKeyExport = {
  id: 'keyExport.complete',
  method: 'POST',
  path: '/v1/wallets/me/export/complete',
  lane: 'wallet',
  summary: 'Exchange an export code for the sealed private key',
  description: `The enclave seals the 32 bytes of the key to \`recipient_public_key\`: ${suite}, info \`wallet-export/v1\`, associated data ${aad}. The key is returned once. The export is in the audit log before the key leaves, and an email reports it. The fifth wrong code locks the process. If the organization has a delay, the right code from a device that is new to the user answers 409 \`export_delayed\` until \`details.ready_at\`; the same call succeeds in the 24 hours after that. Only the device that started the export (\`X-Service-Device\`) can use it.`,
  body: CompleteKeyExport,
  status: 200,
  data: ExportedKey,
  errors: [
    'signing_mode_mismatch',
    'invalid_code',
    'not_found',
    'wallet_archived',
    'process_state',
    'expired',
    'export_disabled',
    'export_delayed',
    'rate_limited',
  ],
  bearsCredential: true,
} as const satisfies Route

/** Returns the state of an export. */
export const getKeyExport = {
  id: 'keyExport.get',
  method: 'GET',
  path: '/v1/wallets/me/export/{export_id}',
  lane: 'wallet',
  summary: 'Read the state of an export',
  params: z.strictObject({ export_id: Id }),
  status: 200,
  data: KeyExport,
  errors: ['signing_mode_mismatch'],
} as const satisfies Route

/** Emails the code of an import and offers the enclave's key. */
export const initiateKeyImport = {
  id: 'keyImport.initiate',
  method: 'POST',
  path: '/v1/wallets/me/import/initiate',
  lane: 'wallet',
  limit: 'import-start',
  summary: 'Start the import of a private key',
  description:
    'TEE mode only, for a user without a wallet on the curve. Emails a code that is valid for ten minutes and five attempts, for this import only. Starting again cancels the previous import of the user and curve. At most ten a day.',
  body: InitiateKeyTransfer,
  status: 200,
  data: KeyImportStart,
  existing: Wallet,
  errors: ['signing_mode_mismatch', 'invalid_curve', 'no_email', 'wallet_exists'],
} as const satisfies Route

/** Makes a wallet of a sealed key. */
export const completeKeyImport = {
  id: 'keyImport.complete',
  method: 'POST',
  path: '/v1/wallets/me/import/complete',
  lane: 'wallet',
  summary: 'Import a private key with the emailed code',
  description: `The key (32 bytes) is sealed to \`enclave_public_key\`: ${suite}, info \`wallet-import/v1\`, associated data ${aad}, with the wallet id of the start. If the enclave has restarted since, its key is new: the answer is 410 \`expired\`, and you start the import again. If the sealed key does not open, the process stays usable.`,
  body: CompleteKeyImport,
  status: 201,
  data: Wallet,
  errors: [
    'signing_mode_mismatch',
    'invalid_code',
    'invalid_payload',
    'not_found',
    'wallet_exists',
    'process_state',
    'expired',
    'rate_limited',
  ],
} as const satisfies Route
