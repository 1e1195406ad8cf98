import type { Fail, SendAgentTransaction, SentAgentTransaction } from '@symbolon/api'
import { checksumAddress, isSoundAddress, parseAddress, type SignAnswer } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type * as z from 'zod'
import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../../ports/evm-chains.ts'
import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { unsupportedChain } from '../../../ports/unsupported-chain.ts'
import { walletArchived } from '../../spending/index.ts'
import {
  type AgentTransaction,
  agentTransactionsStore,
  type HeldNonce,
  type NonceLeases,
  sendLeaseMs,
  type TransactionSender,
  type TxNeeds,
} from '../../transactions/index.ts'
import type { SigningWallets } from '../../wallets/index.ts'
import { type AgentActor, type AgentAttempt, knownChain } from './agent-attempt.ts'
import type { AttemptEnds, AttemptErrors } from './attempt-errors.ts'
import type { SigningGate } from './signing-gate.ts'
import type { ReadyTransaction, TransactionNeeds } from './transaction-needs.ts'

/** The errors of a transaction. */
export type AgentSendErrors =
  | AttemptErrors
  | 'bad_to'
  | 'wallet_not_evm'
  | 'estimate_gas_reverted'
  | 'insufficient_funds'
  | 'rpc_failed'
  | 'broadcast_failed'

/** The run that asks, and a key (unique in the session) under which the same transaction is answered again, for so many hours or for good. */
export type AgentSendOptions = { runId?: string; attemptKey?: string; attemptHours?: number }

type Sent = z.output<typeof SentAgentTransaction>

const wrongChecksum =
  'The EIP-55 checksum of the recipient is wrong: a character of the address may be mistyped.'

// Whoever loses the lease to a slow database tries again.
const triesMax = 3

/** Transactions of agents: prepared, judged, signed with a nonce of their own, durable, and then sent. */
export function agentTransactions({
  sql,
  ids,
  chains,
  wallets,
  gate,
  ends,
  leases,
  sender,
  needs,
}: {
  sql: Sql
  ids: Ids
  chains: EvmChains
  wallets: SigningWallets
  gate: SigningGate
  ends: AttemptEnds
  leases: NonceLeases
  sender: TransactionSender
  needs: TransactionNeeds
}) {
  async function readied(
    attempt: AgentAttempt,
    input: SendAgentTransaction,
    fail: Fail<AgentSendErrors>,
  ): Promise<ReadyTransaction> {
    const { organization, session } = attempt.actor
    if (session.state !== 'active') throw await ends.ended(attempt, session.state, fail)
    const wallet = await wallets.load(session.walletId).catch(async (error: unknown) => {
      throw await ends.thrown(attempt, error, fail)
    })
    if (wallet === undefined) throw new Error('A session has no wallet.')
    attempt.wallet = wallet
    if (wallet.status === 'archived') throw await ends.refused(attempt, walletArchived, fail)
    const wired = organization.supportedNetworks.includes('evm') ? chains.get(input.chain) : undefined
    if (wired === undefined) {
      const message = unsupportedChain(input.chain, organization.supportedNetworks)
      throw await ends.failed(attempt, 'chain_unsupported', fail, { message })
    }
    const to = await recipientOf(attempt, input.to, fail)
    const from = wallet.curve === 'secp256k1' ? wallet.addresses['evm'] : undefined
    if (from === undefined) throw await ends.failed(attempt, 'wallet_not_evm', fail)
    const data = (input.data ?? '0x').toLowerCase() as Hex
    const call = { from: from as Hex, to, data, value: BigInt(input.value ?? '0') }
    return { attempt, wallet, wired, call }
  }

  /** The address with its checksum. A wrong one is what a model gets that mistypes: nobody else reads the address again. */
  async function recipientOf(attempt: AgentAttempt, text: string, fail: Fail<AgentSendErrors>): Promise<Hex> {
    const bytes = parseAddress(text)
    if (bytes !== undefined) return checksumAddress(bytes)
    const options = isSoundAddress(text) ? {} : { message: wrongChecksum }
    throw await ends.failed(attempt, 'bad_to', fail, options)
  }

  async function signed(
    ready: ReadyTransaction,
    needed: TxNeeds,
    { holder, nonce }: HeldNonce,
    attemptKey: string | null,
    fail: Fail<AgentSendErrors>,
  ) {
    const { attempt, wallet, call } = ready
    const { organization, session } = attempt.actor
    let transaction: AgentTransaction | undefined
    const makeSend = (answer: SignAnswer) => {
      const rawTx = bytesOf(answer.signed_transaction)
      const made = { id: ids.next(), userIdentityId: wallet.userIdentityId, sender: call.from, nonce, rawTx }
      transaction = {
        ...made,
        organizationId: organization.id,
        sessionId: session.id,
        walletId: wallet.id,
        chain: ready.wired.chain.handle,
        txHash: answer.transaction_hash as Hex,
        state: 'sending',
        attempts: 0,
      }
      return { ...made, holder, attemptKey, holdMs: sendLeaseMs }
    }
    const payload = await needs.payload(ready, { ...needed, nonce }, fail)
    const passed = await gate.pass(attempt, payload, fail, { makeSend })
    return typeof passed === 'string' ? passed : transaction
  }

  /** What the session made under the key before. */
  const madeBy = async ({ actor }: AgentAttempt, attemptKey: string | null) =>
    attemptKey === null ? undefined : agentTransactionsStore.byKey(sql, actor.session.id, attemptKey)

  /** Signs with the next nonce; what another one made under the same key meanwhile is what this one answers. */
  async function committed(
    ready: ReadyTransaction,
    needed: TxNeeds,
    attemptKey: string | null,
    fail: Fail<AgentSendErrors>,
  ): Promise<AgentTransaction> {
    const { attempt, wallet, wired, call } = ready
    const of = { walletId: wallet.id, chain: wired.chain.handle, sender: call.from, rpc: wired.rpc }
    for (let tries = 0; tries < triesMax; tries++) {
      // Whoever asked with the same key at the same time had the turn before.
      const run = async (held: HeldNonce) => {
        const made = await madeBy(attempt, attemptKey)
        if (made !== undefined) return made
        await needs.recheck(ready, needed, { nonce: held.nonce, of }, fail)
        return signed(ready, needed, held, attemptKey, fail)
      }
      const turn = await leases.withNonce(of, run).catch(async (error: unknown) => {
        if (error instanceof EvmRpcError)
          throw await ends.failed(attempt, 'rpc_failed', fail, { cause: error })
        throw error
      })
      if (turn === undefined) break
      const { result } = turn
      if (result !== undefined && typeof result !== 'string') return result
    }
    throw await ends.failed(attempt, 'unavailable', fail)
  }

  /** Hands it in; a node that is silent now hears of it later, since it is durable. */
  async function sent(
    transaction: AgentTransaction,
    wired: EvmChain,
    fail: Fail<'broadcast_failed'>,
  ): Promise<Sent> {
    if (transaction.state === 'sending') {
      const refusal = await sender.send(transaction, wired.rpc)
      if (refusal !== undefined && refusal.code !== 'transport') {
        const message = `The chain refused the transaction: ${plain(refusal.reason)}.`
        throw fail('broadcast_failed', { message, cause: refusal })
      }
    }
    if (transaction.state === 'refused' || transaction.state === 'replaced') throw fail('broadcast_failed')
    return {
      tx_hash: transaction.txHash,
      chain: transaction.chain,
      chain_id: wired.chainId,
      nonce: quantity(transaction.nonce),
      from: transaction.sender,
    }
  }

  return {
    /** Makes and sends a transaction, once: the same `attemptKey` again answers the same one, and never makes a second. */
    async send(
      actor: AgentActor,
      input: SendAgentTransaction,
      { runId, attemptKey, attemptHours }: AgentSendOptions,
      fail: Fail<AgentSendErrors>,
    ): Promise<Sent> {
      const attempt: AgentAttempt = {
        actor,
        runId: runId ?? null,
        type: 'transaction',
        chain: knownChain(input.chain),
      }
      if (attemptKey !== undefined && attemptHours !== undefined)
        await agentTransactionsStore.freeKey(sql, actor.session.id, attemptKey, attemptHours)
      const known = await madeBy(attempt, attemptKey ?? null)
      const wired = known && chains.get(known.chain)
      if (known !== undefined && wired !== undefined) return sent(known, wired, fail)
      const ready = await readied(attempt, input, fail)
      const needed = await needs.of(ready, fail)
      const transaction = await committed(ready, needed, attemptKey ?? null, fail)
      return sent(transaction, ready.wired, fail)
    },
  }
}

export type AgentTransactions = ReturnType<typeof agentTransactions>

function bytesOf(raw: SignAnswer['signed_transaction']): Uint8Array {
  if (typeof raw !== 'string') throw new Error('The signed transaction is no text.')
  return Buffer.from(raw.slice(2), 'hex')
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`
const plain = (reason: string): string => reason.replace(/\.$/, '')
