import { policyReasons } from '@symbolon/api'
import type { PolicyReason, Refusal } from '@symbolon/policy'
import { describe, expect, test } from 'vitest'
import { refusalMessage } from './refusal-message.ts'

const to = `0x${'ab'.repeat(20)}`
type Parts = Partial<Pick<Refusal, 'rule' | 'layer' | 'limit' | 'actual'>>

const table: [PolicyReason, Parts, string][] = [
  ['wallet_archived', { limit: 'active', actual: 'archived' }, 'the wallet is archived'],
  [
    'wallet_mismatch',
    { limit: '01-a', actual: '01-b' },
    'the session signs for its own wallet 01-a only, but this names 01-b',
  ],
  [
    'method_not_allowed',
    { limit: 'signMessage', actual: 'sendTransaction' },
    'the session allows the methods signMessage, but this is sendTransaction',
  ],
  ['method_not_allowed', { limit: '', actual: 'x' }, 'the session allows no methods, but this is x'],
  [
    'chain_blocked',
    { limit: 'tron, near', actual: 'tron, tron-nile' },
    'the organization blocks the chains tron, near, but this is valid on tron, tron-nile',
  ],
  [
    'chain_not_allowed',
    { limit: 'local, base', actual: 'ethereum' },
    'the session allows the chains local, base, but this is on ethereum',
  ],
  [
    'recipient_not_allowed',
    { layer: 'agent', limit: 'a, b, c, d, e, f', actual: to },
    `the agent allows the recipients a, b, c, d and 2 more, but this goes to ${to}`,
  ],
  [
    'recipient_not_allowed',
    { limit: 'a', actual: 'the unknown holder of b' },
    'the session allows the recipients a, but this goes to the unknown holder of b',
  ],
  ['recipient_blocked', { limit: 'a, b', actual: 'b' }, 'the organization blocks b'],
  ['contract_creation_not_allowed', {}, 'agents never create contracts; that is built in'],
  [
    'contract_call_not_allowed',
    { rule: 'allowed_contracts', actual: `${to} 0xa9059cbb` },
    `the call of ${to} 0xa9059cbb is not among the contracts that the session allows`,
  ],
  [
    'contract_call_not_allowed',
    { rule: 'allowed_contracts.selectors', actual: `${to} 0xa694fc3a` },
    `the effect of ${to} 0xa694fc3a is unknown and its contract is in allowed_tokens or is handed the wallet’s signature, so the session must list the method in selectors`,
  ],
  [
    'contract_call_not_allowed',
    { rule: 'decode', actual: 'call' },
    'agents never make calls of this kind, whatever contracts are allowed; that is built in',
  ],
  [
    'token_transfers_disabled',
    { limit: 'none', actual: to },
    `the organization does not let agents move tokens, but this moves ${to}`,
  ],
  [
    'token_not_allowed',
    { limit: null, actual: to },
    `neither the session nor the policy of an agent lists tokens, but this moves ${to}`,
  ],
  ['token_not_allowed', { limit: '', actual: to }, `the session allows no tokens, but this moves ${to}`],
  [
    'token_not_allowed',
    { limit: `local ${to}, stellar USDC:GA5Z`, actual: to },
    `the session allows the tokens local ${to}, stellar USDC:GA5Z, but this moves ${to}`,
  ],
  [
    'token_not_allowed',
    { limit: 'a token of four words', actual: to },
    `the session allows the tokens on its list, but this moves ${to}`,
  ],
  [
    'approval_not_allowed',
    { limit: 'finite amounts of tokens', actual: `unlimited ${to}` },
    `agents approve finite amounts of tokens only; that is built in, and this approves unlimited ${to}`,
  ],
  ['account_admin_not_allowed', {}, 'agents never change who controls an account; that is built in'],
  [
    'authorization_not_allowed',
    {},
    'agents never let other code control their account (EIP-7702); that is built in',
  ],
  ['typed_data_not_allowed', {}, 'agents sign only typed data whose effects are known; that is built in'],
  ['raw_hash_not_allowed', { limit: 'false' }, 'the organization does not let agents sign bare hashes'],
  [
    'raw_hash_not_allowed',
    { limit: 'true' },
    'this hash stands for a payload with effects, so sign the payload itself',
  ],
  [
    'sign_in_not_allowed',
    { limit: 'app.example', actual: 'evil.example' },
    'the session allows sign-ins to app.example, but this is one to evil.example',
  ],
  ['message_not_allowed', {}, 'agents never sign a message whose signature becomes a key; that is built in'],
  [
    'message_is_transaction',
    {},
    'agents never sign a message that could be a transaction or its hash; that is built in',
  ],
  [
    'payload_undecodable',
    {},
    'agents sign only payloads whose bytes show their whole effect, and these do not; that is built in',
  ],
  [
    'org_per_tx_cap_exceeded',
    { layer: 'organization', limit: '150', actual: '200' },
    'the organization allows 150 per transaction, but this moves 200, in the smallest unit',
  ],
  [
    'per_tx_cap_exceeded',
    { layer: 'agent', limit: '150', actual: '200' },
    'the agent allows 150 per transaction, but this moves 200, in the smallest unit',
  ],
  [
    'fee_cap_exceeded',
    { limit: '5', actual: '6' },
    'the session allows a fee of 5, but this may cost 6, in the smallest unit',
  ],
  [
    'token_cap_exceeded',
    { limit: '5', actual: '6' },
    'the session allows 5 of the token, but this would make it 6, in the smallest unit',
  ],
  [
    'total_cap_exceeded',
    { limit: '150', actual: '200' },
    'the session allows 150 in all, fees included, but this would make it 200, in the smallest unit',
  ],
  [
    'org_total_cap_exceeded',
    { layer: 'organization', limit: '150', actual: '200' },
    'the organization allows 150 in all, fees included, but this would make it 200, in the smallest unit',
  ],
  [
    'tx_count_exceeded',
    { limit: '3', actual: '4' },
    'the session allows 3 transactions, but this would be number 4',
  ],
]

const refusal = (reason: PolicyReason, parts: Parts): Refusal => {
  return { reason, layer: 'session', rule: 'decode', limit: null, actual: null, ...parts }
}

describe('the sentence of a refusal', () => {
  test.each(table)('says why: %s %j', (reason, parts, sentence) => {
    expect(refusalMessage(refusal(reason, parts))).toBe(`The policy refuses this: ${sentence} (${reason}).`)
  })

  test('there is one for every reason, whole without limit and actual too', () => {
    expect(new Set(table.map(([reason]) => reason))).toEqual(new Set(policyReasons))
    for (const reason of policyReasons) {
      const sentence = refusalMessage(refusal(reason, {}))
      expect(sentence).toMatch(/^The policy refuses this: [a-z][^.]{15,160} \([a-z_]+\)\.$/)
      expect(sentence).not.toMatch(/null|undefined|decode |of the session does not allow/)
    }
  })

  test('says that a chain was assumed where the request names none, and only where that matters', () => {
    const options = { assumedChain: 'ethereum' }
    const onEthereum = refusal('chain_not_allowed', { limit: 'local', actual: 'ethereum' })
    expect(refusalMessage(onEthereum, options)).toBe(
      'The policy refuses this: the session allows the chains local, but this is on ethereum; the request names no chain, so ethereum was assumed (chain_not_allowed).',
    )
    expect(refusalMessage(refusal('message_is_transaction', {}), options)).not.toContain('ethereum')
  })

  test('repeats nothing long or dressed up that a payload brought', () => {
    const dressed = ['<b>you</b>', 'call 0800 now.', 'x'.repeat(101), 'call, me, now']
    for (const actual of [...dressed, null]) {
      expect(refusalMessage(refusal('recipient_not_allowed', { limit: 'a', actual }))).toBe(
        'The policy refuses this: the session allows the recipients a (recipient_not_allowed).',
      )
    }
  })

  test('stays short, however long a list is', () => {
    const limit = `${Array(190).fill(to).join(', ')}…`
    const sentence = refusalMessage(refusal('recipient_not_allowed', { limit, actual: to }))
    expect(sentence).toContain(`${to} and others`)
    expect(sentence.length).toBeLessThan(400)
  })
})
