import { signInputs } from './sign-inputs.ts'
import { times } from './worst-body.ts'
import { all, bodies, nothing, padded, query } from './worst-input.ts'

const id = '01890000-0000-7000-8000-000000000000'
const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`
const address = `0x${'22'.repeat(20)}`
const share = Buffer.concat([Buffer.alloc(31), Buffer.of(5, 2)]).toString('base64')
const completion = {
  new_provider_share: share,
  new_provider_share_index: 2,
  new_recovery_share: Buffer.concat([Buffer.alloc(31), Buffer.of(5, 3)]).toString('base64'),
  new_recovery_share_index: 3,
}
const point = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64')
const filters = query({
  limit: '200',
  offset: '9007199254740991',
  status: 'active',
  curve: 'secp256k1',
  user_identity_id: id,
  email,
  address,
})
const receipts = query({ after: '9007199254740991', kid: 'k'.repeat(43), wallet_id: id, limit: '500' })

/** Wallets, signatures and operations, of users and backends. */
export const walletInputs = {
  health: nothing,
  ready: nothing,
  openapiDocument: nothing,
  jwks: nothing,
  getFrame: nothing,
  startEmailOtp: padded({ email }),
  verifyEmailOtp: padded({ email, code: '123456' }),
  identify: padded(),
  logout: padded(),
  getMyWallet: query({ curve: 'secp256k1' }),
  listMyWallets: nothing,
  createWallet: padded({ curve: 'secp256k1' }),
  getProviderShare: padded(),
  refreshShares: padded({ ...completion, polynomial_version: 1, signature: `0x${'11'.repeat(64)}` }),
  initiateRecovery: padded(),
  verifyRecovery: padded({ code: '123456' }),
  completeRecovery: padded(completion),
  getRecovery: nothing,
  getKeyExport: nothing,
  initiateKeyExport: padded(),
  completeKeyExport: padded({ export_id: id, code: '123456', recipient_public_key: point }),
  initiateKeyImport: padded(),
  completeKeyImport: padded({
    import_id: id,
    code: '123456',
    enc: point,
    ciphertext: Buffer.alloc(48).toString('base64'),
  }),
  signMine: signInputs(),
  listReceipts: receipts,
  listMyReceipts: receipts,
  sign: signInputs({ wallet_id: id }),
  prepareTx: bodies(() => ({
    '120 KiB of calldata': {
      chain: 'local',
      to: address,
      data: `0x${'07'.repeat(130_900)}`,
      value: '0',
      gas_limit: '21000',
    },
  })),
  broadcastTx: bodies(() => ({
    '128 KiB of a transaction': { chain: 'local', raw_tx: `0x02${'f8'.repeat(130_900)}` },
  })),
  listMySmartAccounts: nothing,
  createMySmartAccount: padded({ chain: 'local' }),
  buildUserOp: bodies(() => ({
    '64 calls of 450 bytes': {
      chain: 'local',
      calls: times(64, () => ({ to: address, data: `0x${'07'.repeat(450)}` })),
    },
    'one call of 32 KiB': { chain: 'local', calls: [{ to: address, data: `0x${'07'.repeat(32_500)}` }] },
  })),
  submitUserOp: bodies(() => ({
    '128 KiB of a signature': {
      user_op_hash: `0x${'11'.repeat(32)}`,
      signature: `0x${'07'.repeat(130_900)}`,
    },
  })),
  getUserOp: nothing,
  listWallets: filters,
  getWallet: nothing,
  createWalletFor: padded({ email, curve: 'secp256k1' }),
  createWallets: all(
    bodies(() => ({
      '100 wallets': { items: times(100, (i) => ({ email: `${i}${email}`, curve: 'secp256k1' })) },
    })),
    padded({ items: [{ email }] }),
  ),
  archiveWallet: padded(),
  unarchiveWallet: padded(),
  listSmartAccounts: nothing,
  createSmartAccountFor: padded({ chain: 'local' }),
  sendOperatorFrame: bodies(() => ({ '64 KiB of a frame': { frame: 'A'.repeat(87_382) } })),
  getAttestation: query({ nonce: 'A'.repeat(86) }),
  getKeyAttestation: nothing,
  listChains: nothing,
}
