import type { SignIntent } from '@symbolon/networks'
import type { CorpusCase } from './corpus-case.ts'
import { anything } from './transaction-cases.ts'

const handles = {
  evm: 'base',
  tron: 'tron',
  solana: 'solana',
  near: 'near',
  stellar: 'stellar',
  aptos: 'aptos',
} as const
type Network = keyof typeof handles

const transfer = {
  signer_id: 'alice.near',
  verifying_contract: 'intents.near',
  deadline: '2030-01-01T00:00:00.000Z',
  nonce: 'XVoKfmScb3G+XqH9ke/fSlJ/3xO59sNhCxhpG821BH8=',
  intents: [
    { intent: 'transfer', receiver_id: 'eve.near', tokens: { 'nep141:usdt.tether-token.near': '1000000' } },
  ],
}
const intents = JSON.stringify(transfer)
const cosmos = JSON.stringify({
  ...{ account_number: '7', chain_id: 'injective-1', fee: { amount: [], gas: '200000' }, memo: '' },
  ...{ msgs: [{ type: 'cosmos-sdk/MsgSend', value: {} }], sequence: '3' },
})
const siwe = `example.com wants you to sign in with your Ethereum account:
0x70997970C51812dc3A010C7d01b50e0d17dc79C8

Sign in to trade with intents.

URI: https://example.com
Version: 1
Chain ID: 8453
Nonce: 32891756
Issued At: 2030-01-01T00:00:00.000Z`

const message = (network: Network, text: string, recipient = 'app.example'): SignIntent => ({
  kind: 'message',
  network,
  chain: handles[network],
  message: new TextEncoder().encode(text),
  ...(network === 'near' && { nonce: new Uint8Array(32).fill(5), recipient }),
  ...(network === 'aptos' && { nonce: '7' }),
})

const one = (
  network: Network,
  name: string,
  intent: SignIntent,
  expected: CorpusCase['expected'],
): CorpusCase => ({
  name: `words: ${name}`,
  network,
  intent,
  layers: anything,
  expected,
})

/** Words whose signature moves value by itself, and such that only look like it. */
export const messageCases: readonly CorpusCase[] = [
  ...(Object.keys(handles) as Network[]).flatMap((network) => [
    one(network, 'a transfer by intents', message(network, intents), 'message_is_transaction'),
    one(
      network,
      'the same with spaces and another order',
      message(
        network,
        ` ${JSON.stringify(Object.fromEntries(Object.entries(transfer).reverse()), null, 2)}\n`,
      ),
      'message_is_transaction',
    ),
    one(
      network,
      'the seed of a spending key',
      message(network, 'Sign this message to generate your Aztec Spending Key. It lets the app spend.'),
      'message_not_allowed',
    ),
    one(network, 'a sign document of Cosmos', message(network, cosmos), 'message_is_transaction'),
    one(network, 'intents in a text', message(network, 'My intents: []'), 'allowed'),
    one(network, 'intents that are not a list', message(network, '{"intents":"good"}'), 'allowed'),
    one(network, 'a sign-in that no list allows', message(network, siwe), 'sign_in_not_allowed'),
    one(
      network,
      'a sign-in behind a scheme of any length',
      message(network, siwe.replace('example.com', `${'a'.repeat(1030)}://example.com`)),
      'sign_in_not_allowed',
    ),
    one(
      network,
      'a transaction of an account of Aptos that is derived from another wallet',
      message(
        network,
        siwe.replace(
          'Sign in to trade',
          'You are approving to execute\ntransaction 0x1::aptos_account::transfer',
        ),
      ),
      'message_is_transaction',
    ),
    one(
      network,
      'the seed of an identity',
      message(network, 'Allow this account to control your identity'),
      'message_not_allowed',
    ),
    one(
      network,
      'a signature that becomes a seed',
      message(network, 'By signing this message, the signature becomes the seed of your account.'),
      'message_not_allowed',
    ),
    one(
      network,
      'the seed of a key of a rollup',
      message(network, 'Access zkSync account.\n\nOnly sign this message for a trusted client!'),
      'message_not_allowed',
    ),
  ]),
  one(
    'near',
    'a message for the contract of intents',
    message('near', 'hello', 'intents.near'),
    'message_is_transaction',
  ),
  one('near', 'a message for another', message('near', 'hello', 'my-intents.near'), 'allowed'),
]
