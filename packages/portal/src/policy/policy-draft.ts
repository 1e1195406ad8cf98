import type { AgentPolicy } from '@symbolon/sdk/portal'
import { isAmount } from './units.ts'

/** A token of the editor; empty texts are no cap. */
export type TokenDraft = { key: number; chain: string; token: string; max_per_tx: string; max_total: string }

/** A contract of the editor; `selectors` as typed, empty for every method. */
export type ContractDraft = { key: number; chain: string; address: string; selectors: string }

/**
 * A policy while it is edited. Amounts are texts in the smallest unit, empty for no limit; `undefined` lists are not limited here,
 * empty ones allow nothing. The total alone has to be chosen: `undefined` is no limit, empty is not said yet.
 */
export type PolicyDraft = {
  perTx: string
  total: string | undefined
  fee: string
  count: string
  expires: string
  /** The end that was there before, to the millisecond, which the field cannot hold. */
  endBefore: string | undefined
  methods: { signMessage: boolean; sendTransaction: boolean }
  chains: string[] | undefined
  recipients: string | undefined
  tokens: TokenDraft[] | undefined
  contracts: ContractDraft[] | undefined
}

let lastKey = 0

/** A key for a new row of a list. */
export const rowKey = (): number => ++lastKey

/** A policy as the editor has it. */
export function draftOf(policy: AgentPolicy): PolicyDraft {
  const { allowed_methods: methods } = policy
  return {
    perTx: policy.max_spend_per_tx_native ?? '',
    total: policy.max_spend_total_native,
    fee: policy.max_fee_per_tx_native ?? '',
    count: policy.max_tx_count === undefined ? '' : String(policy.max_tx_count),
    expires: policy.expires_at === undefined ? '' : localTime(policy.expires_at),
    endBefore: policy.expires_at,
    methods: {
      signMessage: methods?.includes('signMessage') ?? true,
      sendTransaction: methods?.includes('sendTransaction') ?? true,
    },
    chains: policy.allowed_chains,
    recipients: policy.allowed_recipients?.join('\n'),
    tokens: policy.allowed_tokens?.map(({ chain, token, max_per_tx = '', max_total = '' }) => ({
      key: rowKey(),
      chain,
      token,
      max_per_tx,
      max_total,
    })),
    contracts: policy.allowed_contracts?.map(({ chain, address, selectors }) => ({
      key: rowKey(),
      chain,
      address,
      selectors: selectors?.join(' ') ?? '',
    })),
  }
}

/** What a new agent begins with: only listed recipients, a total that has to be said, and one chain where one is known. */
export function newDraft(chain: string | undefined): PolicyDraft {
  return { ...draftOf({}), total: '', recipients: '', chains: chain === undefined ? undefined : [chain] }
}

/** Whether a draft lets all that a wallet has go to anybody. */
export function isBoundlessDraft({ total, recipients, chains, methods }: PolicyDraft): boolean {
  return methods.sendTransaction && total === undefined && recipients === undefined && chains?.length !== 0
}

/** The policy that a draft says; undefined while something in it is no amount, or the total is not said yet. */
export function policyOf(draft: PolicyDraft): AgentPolicy | undefined {
  const { perTx, total, fee, count, expires, endBefore, methods, chains, recipients, tokens, contracts } =
    draft
  if (total === '') return undefined
  const amounts = [
    perTx,
    total ?? '',
    fee,
    count,
    ...(tokens ?? []).flatMap((one) => [one.max_per_tx, one.max_total]),
  ]
  const expiresAt = new Date(expires)
  const isSame = endBefore !== undefined && localTime(endBefore) === expires
  if (amounts.some((text) => text !== '' && !isAmount(text))) return undefined
  if (expires !== '' && Number.isNaN(expiresAt.getTime())) return undefined
  return {
    ...(perTx !== '' && { max_spend_per_tx_native: perTx }),
    ...(total !== undefined && { max_spend_total_native: total }),
    ...(fee !== '' && { max_fee_per_tx_native: fee }),
    ...(count !== '' && { max_tx_count: Number(count) }),
    ...(expires !== '' && { expires_at: isSame ? endBefore : expiresAt.toISOString() }),
    ...((!methods.signMessage || !methods.sendTransaction) && {
      allowed_methods: (['signMessage', 'sendTransaction'] as const).filter((method) => methods[method]),
    }),
    ...(chains !== undefined && { allowed_chains: chains }),
    ...(recipients !== undefined && { allowed_recipients: wordsOf(recipients) }),
    ...(tokens !== undefined && {
      allowed_tokens: tokens.map(({ chain, token, max_per_tx, max_total }) => ({
        chain,
        token: token.trim(),
        ...(max_per_tx !== '' && { max_per_tx }),
        ...(max_total !== '' && { max_total }),
      })),
    }),
    ...(contracts !== undefined && {
      allowed_contracts: contracts.map(({ chain, address, selectors }) => ({
        chain,
        address: address.trim(),
        ...(wordsOf(selectors).length > 0 && { selectors: wordsOf(selectors) }),
      })),
    }),
  }
}

/** The words of a text, whatever is between them. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** A time of the wire for a field that takes the browser's local time, to the minute. */
function localTime(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
