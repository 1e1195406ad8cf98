import type { BroadcastedTx, ErrorCode, ErrorOptions, PreparedTx, PrepareTx } from '@symbolon/api'
import { checksumAddress, parseAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type * as z from 'zod'
import type { Identity, Organization, UserToken } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { FairTurns } from '../../runtime/fair-turns.ts'
import type { Audit, AuditEvent } from '../audit/index.ts'
import { type Broadcaster, readRawTx, type TxNeeds } from '../transactions/index.ts'
import type { EvmWallet, EvmWallets } from '../wallets/index.ts'
import { type AskedCall, neededBy, optionsOf } from './needed-by.ts'

type CallingUser = { organization: Organization; identity: Pick<Identity, 'id'>; token: UserToken }

type LaneErrors = 'unauthorized' | 'token_expired' | 'token_revoked'
type WalletErrors = 'wallet_not_found' | 'wallet_not_evm' | 'wallet_archived'
type PrepareErrors =
  | LaneErrors
  | WalletErrors
  | 'chain_unsupported'
  | 'bad_to'
  | 'estimate_gas_reverted'
  | 'rpc_failed'
type BroadcastErrors =
  | LaneErrors
  | WalletErrors
  | 'chain_unsupported'
  | 'unsupported_tx_type'
  | 'bad_raw_tx'
  | 'broadcast_failed'

type TxEvent = AuditEvent & { type: 'wallet.tx_prepared' | 'wallet.tx_broadcast' }

/** What users' transactions are prepared and broadcast with. */
export type EvmCtx = {
  chains: EvmChains
  wallets: EvmWallets
  audit: Audit
  broadcaster: Broadcaster
  ids: Ids
  turns: FairTurns
}

/** Fills in what a transaction of the user's wallet needs; the wallet signs the result. */
export async function prepareTransaction(
  ctx: EvmCtx,
  principal: CallingUser,
  input: z.output<typeof PrepareTx>,
): Promise<z.output<typeof PreparedTx> | Failure<PrepareErrors>> {
  const chain = chainOf(ctx, principal.organization, input.chain)
  if (isFailure(chain)) return chain
  const to = addressOf(input.to)
  if (to === undefined) return failure('bad_to')
  const wallet = await walletOf(ctx, principal)
  if (isFailure(wallet)) return wallet
  const event = eventOf('wallet.tx_prepared', wallet, { chain: chain.chain.handle })
  if (wallet.status === 'archived') return refused(ctx, event, 'wallet_archived')

  const data = input.data.toLowerCase() as Hex
  const call = { from: wallet.evmAddress, to, data, value: BigInt(input.value) }
  const needs = await needsOf(ctx, event, chain, { call, ...optionsOf(input) })
  if (isFailure(needs)) return needs
  const broken = await ctx.audit.release(event, { walletId: wallet.id, token: principal.token })
  if (broken !== undefined) return failure(broken === 'not_found' ? 'wallet_not_found' : broken)
  return {
    chain: chain.chain.handle,
    chain_id: quantity(BigInt(chain.chainId)),
    nonce: quantity(needs.nonce),
    from: call.from,
    to: call.to,
    data: call.data,
    value: quantity(call.value),
    gas_limit: quantity(needs.gasLimit),
    max_fee_per_gas: quantity(needs.maxFeePerGas),
    max_priority_fee_per_gas: quantity(needs.maxPriorityFeePerGas),
  }
}

/** Broadcasts a transaction that the user's wallet has signed; one that the chain has already is a success again. */
export async function broadcastTransaction(
  ctx: EvmCtx,
  principal: CallingUser,
  input: { chain: string; rawTx: string },
): Promise<z.output<typeof BroadcastedTx> | Failure<BroadcastErrors>> {
  const configured = chainOf(ctx, principal.organization, input.chain)
  if (isFailure(configured)) return configured
  const { chain, chainId, rpc } = configured
  const decode = () => readRawTx(input.rawTx, chainId)
  const read = await ctx.turns.run(principal.organization.id, decode, input.rawTx.length)
  if (isFailure(read)) return read
  const { raw, transaction } = read
  const wallet = await walletOf(ctx, principal)
  if (isFailure(wallet)) return wallet
  const event = eventOf('wallet.tx_broadcast', wallet, { chain: chain.handle, tx_hash: transaction.hash })
  if (wallet.status === 'archived') return refused(ctx, event, 'wallet_archived')
  if (transaction.from !== wallet.evmAddress)
    return failure('bad_raw_tx', { message: 'The transaction is not signed by this wallet.' })
  const broadcast = {
    id: ctx.ids.next(),
    organizationId: wallet.organizationId,
    walletId: wallet.id,
    userIdentityId: wallet.userIdentityId,
    chain: chain.handle,
    txHash: transaction.hash,
    rawTx: raw,
  }
  const outcome = await ctx.broadcaster.sendForUser(broadcast, rpc, principal.token)
  switch (outcome.kind) {
    case 'accepted':
      return { chain: chain.handle, chain_id: quantity(BigInt(chainId)), tx_hash: transaction.hash }
    case 'broken': {
      const { broken } = outcome
      await refused(ctx, event, broken)
      return failure(broken === 'not_found' ? 'wallet_not_found' : broken)
    }
    case 'failed': {
      const isSilent = outcome.cause.code === 'transport'
      const what = isSilent ? 'The chain did not answer' : 'The chain refused the transaction'
      return failure('broadcast_failed', { message: sentence(what, outcome.reason), cause: outcome.cause })
    }
  }
}

/** The configured chain; without one of the name, or the network in the organization, it is unsupported. */
function chainOf(
  { chains }: EvmCtx,
  { supportedNetworks }: Organization,
  handle: string,
): EvmChain | Failure<'chain_unsupported'> {
  const chain = supportedNetworks.includes('evm') ? chains.get(handle) : undefined
  return chain ?? failure('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })
}

/** The user's wallet; only the curve decides whether it is one of EVM chains. */
async function walletOf(
  { wallets }: EvmCtx,
  { organization, identity }: CallingUser,
): Promise<(EvmWallet & { evmAddress: Hex }) | Failure<'wallet_not_found' | 'wallet_not_evm'>> {
  const wallet = await wallets.ofUser(organization.id, identity.id)
  if (wallet === undefined) return failure('wallet_not_found')
  if (wallet.evmAddress === null) return failure('wallet_not_evm')
  return { ...wallet, evmAddress: wallet.evmAddress }
}

/** What the chain says the call needs; what it refuses is recorded. */
async function needsOf(
  ctx: EvmCtx,
  event: TxEvent,
  chain: EvmChain,
  asked: AskedCall,
): Promise<TxNeeds | Failure<'rpc_failed' | 'estimate_gas_reverted'>> {
  const needs = await neededBy(chain, asked)
  if (!isFailure(needs)) return needs
  const { kind: _, code, ...options } = needs
  return refused(ctx, event, code, options)
}

/** Records that the request was refused, and returns why. */
async function refused<const code extends ErrorCode>(
  { audit }: EvmCtx,
  event: TxEvent,
  code: code,
  options: ErrorOptions = {},
): Promise<Failure<code>> {
  await audit.write({ ...event, success: false, errorCode: code })
  return failure(code, options)
}

function eventOf(type: TxEvent['type'], wallet: EvmWallet, payload: Record<string, string>): TxEvent {
  return {
    organizationId: wallet.organizationId,
    type,
    userIdentityId: wallet.userIdentityId,
    walletId: wallet.id,
    actorType: 'end_user',
    actorId: wallet.userIdentityId,
    payload,
    success: true,
  }
}

/** The address with its checksum, which need not be there nor right. */
function addressOf(text: string): Hex | undefined {
  const bytes = text.startsWith('0x') ? parseAddress(text.toLowerCase()) : undefined
  return bytes && checksumAddress(bytes)
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const sentence = (what: string, reason: string): string => `${what}: ${reason.replace(/\.$/, '')}.`
