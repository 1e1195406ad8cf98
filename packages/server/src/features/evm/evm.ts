import type { BroadcastedTx, Fail, PreparedTx, PrepareTx } from '@symbolon/api'
import { checksumAddress, parseAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type * as z from 'zod'
import type { Identity, Organization, UserToken } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import type { Audit, AuditEvent } from '../audit/index.ts'
import { type Broadcaster, FillInError, fillIn, readRawTx } from '../transactions/index.ts'
import type { EvmWallet, EvmWallets } from '../wallets/index.ts'

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

/** Transactions of users' own EVM wallets: preparing what the wallet signs, sending what it has signed. */
export function evm({
  chains,
  wallets,
  audit,
  broadcaster,
  ids,
}: {
  chains: EvmChains
  wallets: EvmWallets
  audit: Audit
  broadcaster: Broadcaster
  ids: Ids
}) {
  /** The wired chain; without one of the name, or the network in the organization, it is unsupported. */
  function chainOf(
    { supportedNetworks }: Organization,
    handle: string,
    fail: Fail<'chain_unsupported'>,
  ): EvmChain {
    const chain = supportedNetworks.includes('evm') ? chains.get(handle) : undefined
    if (chain === undefined)
      throw fail('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })
    return chain
  }

  /** The user's wallet; only the curve decides whether it is one of EVM chains. */
  async function walletOf(
    { organization, identity }: CallingUser,
    fail: Fail<WalletErrors>,
  ): Promise<EvmWallet & { evmAddress: Hex }> {
    const wallet = await wallets.ofUser(organization.id, identity.id)
    if (wallet === undefined) throw fail('wallet_not_found')
    if (wallet.evmAddress === null) throw fail('wallet_not_evm')
    return { ...wallet, evmAddress: wallet.evmAddress }
  }

  /** Records that the call was refused, and answers why. */
  async function refused<code extends string>(event: TxEvent, code: code): Promise<code> {
    await audit.write({ ...event, success: false, errorCode: code })
    return code
  }

  return {
    async prepareTx(
      principal: CallingUser,
      input: z.output<typeof PrepareTx>,
      fail: Fail<PrepareErrors>,
    ): Promise<z.output<typeof PreparedTx>> {
      const { chain, chainId, rpc } = chainOf(principal.organization, input.chain, fail)
      const to = addressOf(input.to)
      if (to === undefined) throw fail('bad_to')
      const wallet = await walletOf(principal, fail)
      const event = eventOf('wallet.tx_prepared', wallet, { chain: chain.handle })
      if (wallet.status === 'archived') throw fail(await refused(event, 'wallet_archived'))

      const call = {
        from: wallet.evmAddress,
        to,
        data: input.data.toLowerCase() as Hex,
        value: BigInt(input.value),
      }
      const gasLimit = input.gas_limit === undefined ? undefined : BigInt(input.gas_limit)
      const needs = await fillIn(rpc, call, gasLimit).catch(async (error: unknown) => {
        if (!(error instanceof FillInError)) throw error
        await refused(event, error.code)
        throw error.code === 'rpc_failed'
          ? fail('rpc_failed', { cause: error })
          : fail('estimate_gas_reverted', { message: sentence('The estimate failed', error.reason) })
      })
      const broken = await audit.release(event, { walletId: wallet.id, token: principal.token })
      if (broken !== undefined) throw fail(broken === 'not_found' ? 'wallet_not_found' : broken)
      return {
        chain: chain.handle,
        chain_id: quantity(BigInt(chainId)),
        nonce: quantity(needs.nonce),
        from: call.from,
        to: call.to,
        data: call.data,
        value: quantity(call.value),
        gas_limit: quantity(needs.gasLimit),
        max_fee_per_gas: quantity(needs.maxFeePerGas),
        max_priority_fee_per_gas: quantity(needs.maxPriorityFeePerGas),
      }
    },

    /** Sends a transaction that the user's wallet has signed; one that the chain has already is a success again. */
    async broadcastTx(
      principal: CallingUser,
      handle: string,
      rawTx: string,
      fail: Fail<BroadcastErrors>,
    ): Promise<z.output<typeof BroadcastedTx>> {
      const { chain, chainId, rpc } = chainOf(principal.organization, handle, fail)
      const { raw, transaction } = readRawTx(rawTx, chainId, fail)
      const wallet = await walletOf(principal, fail)
      const event = eventOf('wallet.tx_broadcast', wallet, { chain: chain.handle, tx_hash: transaction.hash })
      if (wallet.status === 'archived') throw fail(await refused(event, 'wallet_archived'))
      if (transaction.from !== wallet.evmAddress) {
        throw fail('bad_raw_tx', { message: 'The transaction is not signed by this wallet.' })
      }
      const outcome = await broadcaster.sendForUser(
        {
          id: ids.next(),
          organizationId: wallet.organizationId,
          walletId: wallet.id,
          userIdentityId: wallet.userIdentityId,
          chain: chain.handle,
          txHash: transaction.hash,
          rawTx: raw,
        },
        rpc,
        principal.token,
      )
      switch (outcome.kind) {
        case 'taken':
          return { chain: chain.handle, chain_id: quantity(BigInt(chainId)), tx_hash: transaction.hash }
        case 'broken':
          await refused(event, outcome.broken)
          throw fail(outcome.broken === 'not_found' ? 'wallet_not_found' : outcome.broken)
        case 'failed': {
          const isSilent = outcome.cause.code === 'transport'
          const what = isSilent ? 'The chain did not answer' : 'The chain refused the transaction'
          const message = sentence(what, outcome.reason)
          throw fail('broadcast_failed', { message, cause: outcome.cause })
        }
      }
    },
  }
}

export type Evm = ReturnType<typeof evm>

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

/** The address with its checksum, whose absence or errors are nobody's concern here (decisions.md 8). */
function addressOf(text: string): Hex | undefined {
  const bytes = text.startsWith('0x') ? parseAddress(text.toLowerCase()) : undefined
  return bytes && checksumAddress(bytes)
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const sentence = (what: string, reason: string): string => `${what}: ${reason.replace(/\.$/, '')}.`
