import type { SendAgentTransaction } from '@symbolon/api'
import { checksumAddress, isSoundAddress, parseAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type { EvmChain } from '../../../ports/evm-chains.ts'
import { unsupportedChain } from '../../../ports/unsupported-chain.ts'
import { walletArchived } from '../../spending/index.ts'
import type { NonceOf, TxCall, TxNeeds } from '../../transactions/index.ts'
import type { ReadyWallet } from '../../wallets/index.ts'
import type { RequestEnd } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { type AgentActor, knownChain, type SigningRequest } from './signing-request.ts'

/** A transaction, the run that asks, and a key (unique in the session) that names it for so many hours, or for good. */
export type SendParams = {
  actor: AgentActor
  input: SendAgentTransaction
  runId?: string | undefined
  key?: string
  keyHours?: number | undefined
}

/** A transaction whose wallet, chain and recipient are known. */
export type AskedTransaction = {
  kind: 'asked'
  request: SigningRequest
  wallet: ReadyWallet
  chain: EvmChain
  call: TxCall
}

/** A transaction with all that it needs but its nonce; its policy, and the wallet's funds, allow it so far. */
export type ReadyTransaction = Omit<AskedTransaction, 'kind'> & {
  kind: 'transaction'
  needs: TxNeeds
  nonceOf: NonceOf
  key: string | null
  isReceipted: boolean
}

/** The errors of a transaction that was asked for wrongly. */
export type AskedCode = 'bad_to' | 'wallet_not_evm'

const wrongChecksum = 'The EIP-55 checksum of the recipient is wrong: check the address for typing errors.'

/** Reads a transaction: its session, its wallet, its chain and its recipient. */
export async function askedTransaction(
  { signer: { wallets }, evm }: SigningCtx,
  { actor, input, runId }: SendParams,
): Promise<AskedTransaction | { kind: 'stopped'; request: SigningRequest; end: RequestEnd<AskedCode> }> {
  const { organization, session } = actor
  const asked: SigningRequest = {
    actor,
    runId: runId ?? null,
    type: 'transaction',
    chain: knownChain(input.chain),
  }
  const stop = (end: RequestEnd<AskedCode>, request = asked) => ({ kind: 'stopped', request, end }) as const

  if (session.state !== 'active') return stop({ kind: 'session_over', state: session.state })
  const loaded = await wallets.load(session.walletId).catch((error: unknown) => ({ error }))
  if (loaded === undefined) throw new Error('A session has no wallet.')
  if ('error' in loaded) return stop({ kind: 'thrown', error: loaded.error })
  const request = { ...asked, wallet: loaded }
  if (loaded.status === 'archived') return stop({ kind: 'refused', refusal: walletArchived }, request)
  const chain = organization.supportedNetworks.includes('evm') ? evm.chains.get(input.chain) : undefined
  if (chain === undefined) {
    const message = unsupportedChain(input.chain, organization.supportedNetworks)
    return stop({ kind: 'failed', code: 'chain_unsupported', message }, request)
  }
  // A model that mistypes gets a wrong checksum: nobody else reads the address again.
  const to = parseAddress(input.to)
  if (to === undefined) {
    const message = isSoundAddress(input.to) ? {} : { message: wrongChecksum }
    return stop({ kind: 'failed', code: 'bad_to', ...message }, request)
  }
  const from = loaded.curve === 'secp256k1' ? loaded.addresses['evm'] : undefined
  if (from === undefined) return stop({ kind: 'failed', code: 'wallet_not_evm' }, request)
  const data = (input.data ?? '0x').toLowerCase() as Hex
  const call = { from: from as Hex, to: checksumAddress(to), data, value: BigInt(input.value ?? '0') }
  return { kind: 'asked', request, wallet: loaded, chain, call }
}
