import { evmChainByHandle, isSoundAddress } from '@symbolon/networks'
import type { ToolPart } from './agent-run.ts'
import { exactAmount } from './exact-amount.ts'

type Rule = { pattern: RegExp; call(groups: Readonly<Record<string, string>>): ToolPart | undefined }

const chain = '(?<chain>[a-z0-9-]{1,64})'
const address = '(?<to>0x[0-9a-fA-F]{40})'

/** `transfer(address,uint256)` of ERC-20. */
const transferSelector = '0xa9059cbb'

const rules: readonly Rule[] = [
  {
    pattern: rule(
      `(?:send|pay|transfer) (?<amount>[0-9.]+) (?<symbol>[A-Za-z]{1,12}) on ${chain} to ${address}`,
    ),
    call({ amount = '', symbol = '', chain: handle = '', to = '' }) {
      if (!isSoundAddress(to)) return undefined
      const decimals = decimalsOf(symbol, handle)
      const value = decimals === undefined ? undefined : exactAmount(amount, decimals)
      return value === undefined ? undefined : sending(handle, { to, value: value.toString() })
    },
  },
  {
    pattern: rule(
      `(?:send|pay|transfer) (?<amount>[0-9]+) units of (?:token )?(?<token>0x[0-9a-fA-F]{40}) on ${chain} to ${address}`,
    ),
    call({ amount = '', token = '', chain: handle = '', to = '' }) {
      const units = exactAmount(amount, 0)
      if (![token, to].every(isSoundAddress)) return undefined
      if (units === undefined || units >= 1n << 256n) return undefined
      const data = `${transferSelector}${to.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`
      return sending(handle, { to: token, data })
    },
  },
  {
    pattern: rule(`balance(?: of (?<owner>[0-9A-Za-z]{1,128}))? on ${chain}`),
    call: ({ owner, chain: handle }) => ({
      tool: 'get_balance',
      arguments: { chain: handle, ...(owner !== undefined && { address: owner }) },
    }),
  },
  {
    // What begins with "on" has to name a chain, or a colon has to say that it is the message.
    pattern:
      /^sign (?:the )?message(?: on (?<chain>[a-z0-9-]{1,64}):? |: | (?!\s*on(?:\s|$)))(?<message>.+)$/is,
    call: ({ message, chain: handle }) => ({
      tool: 'sign_message',
      arguments: { message, ...(handle !== undefined && { chain: handle }) },
    }),
  },
  {
    pattern: rule('(?:show )?(?:my |the )?(?:policy|budget)'),
    call: () => ({ tool: 'get_policy', arguments: {} }),
  },
  {
    pattern: rule(`(?:status of )?transaction (?<hash>0x[0-9a-fA-F]{64}) on ${chain}`),
    call: ({ hash, chain: handle }) => ({
      tool: 'get_transaction',
      arguments: { chain: handle, tx_hash: hash },
    }),
  },
  {
    pattern: /^delegate to (?<agent>[0-9a-f-]{36}):? (?<objective>.+)$/is,
    call: ({ agent, objective }) => ({ tool: 'delegate', arguments: { agent_id: agent, objective } }),
  },
]

/**
 * The one call of a tool that a sentence asks for: `send 0.01 ETH on base to 0x…` (or `wei`, `gwei`), `send 250 units of token 0x… on base to 0x…`,
 * `balance [of 0x…] on base`, `sign message [on base]: …`, `policy`, `transaction 0x… on base`, `delegate to AGENT: …`. Amounts are exact,
 * and a recipient is in one case or has its checksum. Undefined for any other sentence: nothing is ever guessed.
 */
export function intentOf(sentence: string): ToolPart | undefined {
  const text = sentence.trim()
  for (const { pattern, call } of rules) {
    const match = pattern.exec(text)
    if (match !== null)
      return call({ ...match.groups, ...lowerChain(match.groups) } as Record<string, string>)
  }
  return undefined
}

/** The sentences that are understood, as an error lists them. */
export const understoodSentences: readonly string[] = [
  'send 0.01 ETH on base to 0x… (also wei and gwei)',
  'send 250 units of token 0x… on base to 0x…',
  'balance [of 0x…] on base',
  'sign message [on base]: …',
  'policy',
  'transaction 0x… on base',
  'delegate to AGENT_ID: …',
]

/** Of the chain's native asset, or a unit of it. */
function decimalsOf(symbol: string, handle: string): number | undefined {
  const known = evmChainByHandle(handle)
  if (known === undefined) return undefined
  const units = new Map([
    [known.nativeAsset.symbol.toLowerCase(), known.nativeAsset.decimals],
    ['wei', 0],
    ['gwei', 9],
  ])
  return units.get(symbol.toLowerCase())
}

const lowerChain = (groups: Record<string, string> | undefined) =>
  groups?.['chain'] === undefined ? {} : { chain: groups['chain'].toLowerCase() }

function rule(words: string): RegExp {
  return new RegExp(`^${words.replaceAll(' ', '\\s+')}\\.?$`, 'i')
}

const sending = (handle: string, transaction: Record<string, string>): ToolPart => ({
  tool: 'send_transaction',
  arguments: { chain: handle, ...transaction },
})
