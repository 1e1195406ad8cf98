import type { Chain } from '../chain.ts'
import type { Action } from '../effect.ts'
import type { NetworkPolicy, Parsed } from '../network.ts'
import {
  type ActionReading,
  allowance,
  called,
  isAdminName,
  paid,
  payingNobody,
  readActions,
  spent,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { readStrkey, strkey } from './strkey.ts'
import { stellarTransaction } from './transaction.ts'
import type { StellarEnvelope } from './transaction-envelope.ts'

/** Offers: anybody may take their amount; a call of one ends it. */
const offers = ['manage_sell_offer', 'manage_buy_offer', 'create_passive_sell_offer']
/** Operations that move nothing away and give no rights. */
const harmless = [...offers, 'claim_claimable_balance', 'inflation']
/** Methods of tokens (SEP-41), whatever arguments they come with. */
const tokenMethods = ['transfer', 'transfer_from', 'approve', 'burn', 'burn_from', 'mint']
const contract = /^C[A-Z2-7]{55}$/

/**
 * A Stellar transaction for policies: payments (at the most that a path can cost), new accounts, claimable balances and offers
 * are spends whichever account of the transaction they are of; transfers and approvals of Soroban tokens are those of their
 * contract, other calls are calls of it, each also where it is only authorized. Signers, options, merges, the trust of others, sequence
 * numbers and sponsorships are administration; the fee of another account's transaction is paid by nobody's agent.
 */
function readStellarTransaction(parsed: Parsed<StellarEnvelope>): AgentEffects {
  const { actions, fee } = stellarTransaction.effects(parsed)
  const read = readActions(actions, (action) => readAction(action, parsed.scope.chain))
  return { ...read, fee: fee?.amount ?? null }
}

function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, method, to, from } = action
  switch (kind) {
    case 'transfer':
      return method === 'payment' ? paid(action, chain) : spent(action, chain)
    case 'approval':
      if (method !== null && offers.includes(method)) return spent(action, chain)
      if (method === 'change_trust') return readTrust(action, chain)
      return method === 'approve' ? allowance(action, chain) : 'approval_not_allowed'
    case 'admin':
      return 'account_admin_not_allowed'
    case 'unknown':
      return 'payload_undecodable'
    case 'call':
      return readCall(method ?? '', from, to)
  }
}

/**
 * A trust line lets the account hold an asset and lets nobody take anything: it needs the asset to be a listed token and moves nothing
 * of it. What ends needs nothing. Shares of a pool (`a/b/fee`) are never on a list of tokens.
 */
function readTrust(action: Action, chain: Chain): ActionReading {
  const { asset, amount, from } = action
  if (asset === null || asset.includes('/')) return 'approval_not_allowed'
  if (amount === 0n) return []
  const trusted = spent({ ...action, kind: 'transfer', amount: 0n, to: from }, chain)
  return typeof trusted === 'string' ? trusted : trusted.map(payingNobody)
}

function readCall(method: string, from: string, to: string | null): ActionReading {
  // A contract may have methods of any name: the called contract distinguishes them from operations.
  if (to !== null && contract.test(to)) {
    if (tokenMethods.includes(method)) return 'payload_undecodable'
    return isAdminName(method) ? 'account_admin_not_allowed' : [called(from, to)]
  }
  if (harmless.includes(method)) return []
  const isCreation = method === 'create_contract' || method === 'upload_contract'
  return isCreation ? 'contract_creation_not_allowed' : 'contract_call_not_allowed'
}

/** Stellar as policies see it. A muxed account (M…, SEP-23) is the account that holds it. */
export const policyEffects: NetworkPolicy<Parsed<StellarEnvelope>> = {
  isChainSigned: true,
  effects: readStellarTransaction,
  nameKind(text) {
    if (/^0x/i.test(text)) return undefined
    const [, issuer = text] = /^[a-zA-Z0-9]{1,12}:(G.+)$/.exec(text) ?? []
    const isName = (['account', 'contract', 'muxedAccount'] as const).some((kind) => readStrkey(kind, issuer))
    return isName ? 'name' : undefined
  },
  addressKey(text) {
    if (text.length !== 69 || !text.startsWith('M')) return undefined
    const key = readStrkey('muxedAccount', text)
    return key ? strkey('account', key.subarray(0, 32)) : text
  },
}
