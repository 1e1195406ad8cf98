import { KeyType, PublicKey } from '@near-js/crypto'
import {
  type Action,
  actionCreators,
  createTransaction,
  encodeDelegateAction,
  encodeTransaction,
  GlobalContractDeployMode,
  GlobalContractIdentifier,
  Signature,
  SignedDelegate,
} from '@near-js/transactions'
import { toHex } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const key = testKey('ed25519', 1)
const own = toHex(key.publicKey)
const publicKey = new PublicKey({ keyType: KeyType.ED25519, data: key.publicKey })
const thiefKey = new PublicKey({ keyType: KeyType.ED25519, data: testKey('ed25519', 2).publicKey })
const { transfer, functionCall, addKey, fullAccessKey, functionCallAccessKey, ...create } = actionCreators
const thiefAccount = toHex(testKey('ed25519', 2).publicKey)
const usdt = 'usdt.tether-token.near'
const tera = 10n ** 12n

const encoded = (actions: Action[], receiver = 'bob.near', signer = own): Uint8Array =>
  encodeTransaction(createTransaction(signer, publicKey, receiver, 7n, actions, new Uint8Array(32).fill(9)))
const delegated = (actions: Action[], receiver = 'bob.near', sender = own) => ({
  senderId: sender,
  receiverId: receiver,
  actions,
  nonce: 7n,
  maxBlockHeight: 99n,
  publicKey,
})
const delegate = (actions: Action[], receiver?: string) =>
  Uint8Array.from(encodeDelegateAction(delegated(actions, receiver) as never))
const call = (method: string, args: unknown, deposit = 0n, gas = 30n * tera): Action =>
  functionCall(
    method,
    args instanceof Uint8Array ? args : new TextEncoder().encode(JSON.stringify(args)),
    gas,
    deposit,
  )
const ft = (amount: string, receiver_id = 'bob.near') => call('ft_transfer', { receiver_id, amount }, 1n)
const text = (json: string) => new TextEncoder().encode(json)

/** What the gas of one `ft` costs at the worst, and the yoctoNEAR that it attaches. */
const ftFee = 30n * 10n ** 21n + 1n
const toBob = session({ allowed_recipients: ['bob.near'] })
const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: String(10n ** 22n) })
const usdtOnly = session({ allowed_tokens: [{ chain: 'near', token: usdt, max_per_tx: '500' }] })
const usdtToBob = session({ ...usdtOnly.session, allowed_recipients: ['bob.near'] })
const dex = (more = {}) => session({ allowed_contracts: [{ chain: 'near', address: 'dex.near' }], ...more })
const usdtContract = session({ ...usdtOnly.session, allowed_contracts: [{ chain: 'near', address: usdt }] })
const cost = (amount: bigint) => ({ 'native NEAR/24': amount, transactions: 1n })
const usdtCost = (amount: bigint) => ({ [`token near ${usdt}`]: amount, transactions: 1n })
const anySignature = new Signature({ keyType: KeyType.ED25519, data: new Uint8Array(64) } as never)

const unread = ['withdraw', 'burn', 'storage_unregister', 'near_withdraw'].flatMap(
  (method): readonly TransactionRow[] => {
    const bytes = () => encoded([call(method, { force: true })], usdt)
    const named = (selectors: readonly string[]) =>
      session({
        allowed_tokens: [{ chain: 'near', token: usdt }],
        allowed_contracts: [{ chain: 'near', address: usdt, selectors }],
      })
    return [
      [`${method} of a listed token`, bytes, 'contract_call_not_allowed', usdtContract],
      [`${method} of a listed token, named`, bytes, 'allowed', named([method])],
      [`${method} of a listed token, another is named`, bytes, 'contract_call_not_allowed', named(['ping'])],
    ]
  },
)

/** The fee of a transfer counts the account that it may create (nearcore: both sides of 3.85 Tgas, and of 0.102 for a key). */
const created = [thiefAccount, `0x${'ab'.repeat(20)}`, `0s${'ab'.repeat(20)}`].flatMap(
  (receiver): readonly TransactionRow[] => {
    const bytes = () => encoded([transfer(1n)], receiver)
    const least = 8_146n * 10n ** 18n
    const upTo = (max: bigint) => session({ max_fee_per_tx_native: String(max) })
    return [
      [`NEAR to ${receiver.slice(0, 4)}…, which it creates`, bytes, 'fee_cap_exceeded', upTo(least)],
      [`NEAR to ${receiver.slice(0, 4)}…, within the fee`, bytes, 'allowed', upTo(least + 3n * 10n ** 20n)],
    ]
  },
)

const rows: readonly TransactionRow[] = [
  ...unread,
  ['NEAR', () => encoded([transfer(1000n)]), 'allowed', capped, cost(1000n)],
  ...created,
  ['one yocto over the cap', () => encoded([transfer(1001n)]), 'per_tx_cap_exceeded', capped],
  [
    'two transfers over the cap together',
    () => encoded([transfer(600n), transfer(600n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['NEAR to an allowed recipient', () => encoded([transfer(5n)]), 'allowed', toBob, cost(5n)],
  ['NEAR to another', () => encoded([transfer(5n)], 'eve.near'), 'recipient_not_allowed', toBob],
  [
    'NEAR to an account named like the allowed one',
    () => encoded([transfer(5n)], 'bob.near.eve.near'),
    'recipient_not_allowed',
    toBob,
  ],
  [
    'NEAR to a blocked implicit account',
    () => encoded([transfer(5n)], 'ab'.repeat(32)),
    'recipient_blocked',
    { organization: { blocked_recipients: ['AB'.repeat(32)] } },
  ],
  [
    'NEAR of a named account with this key',
    () => encoded([transfer(1001n)], 'bob.near', 'treasury.near'),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'gas over the fee cap',
    () => encoded([call('ping', {}, 0n, 300n * tera)], 'dex.near'),
    'fee_cap_exceeded',
    dex({ max_fee_per_tx_native: String(10n ** 22n) }),
  ],
  ['USDT', () => encoded([ft('500')], usdt), 'allowed', usdtOnly, usdtCost(500n)],
  [
    'USDT at the fee cap, with the yoctoNEAR that it attaches',
    () => encoded([ft('500')], usdt),
    'allowed',
    session({ ...usdtOnly.session, max_fee_per_tx_native: String(ftFee) }),
    usdtCost(500n),
  ],
  [
    'USDT one yoctoNEAR over the fee cap',
    () => encoded([ft('500')], usdt),
    'fee_cap_exceeded',
    session({ ...usdtOnly.session, max_fee_per_tx_native: String(ftFee - 1n) }),
  ],
  ['USDT over its cap', () => encoded([ft('501')], usdt), 'token_cap_exceeded', usdtOnly],
  [
    'USDT twice, over its cap together',
    () => encoded([ft('300'), ft('300')], usdt),
    'token_cap_exceeded',
    usdtOnly,
  ],
  ['USDT to an allowed recipient', () => encoded([ft('5')], usdt), 'allowed', usdtToBob, usdtCost(5n)],
  ['USDT to another', () => encoded([ft('5', 'eve.near')], usdt), 'recipient_not_allowed', usdtToBob],
  ['another token', () => encoded([ft('5')], 'scam.near'), 'token_not_allowed', usdtOnly],
  ['USDT where no token is listed', () => encoded([ft('5')], usdt), 'token_not_allowed', { session: {} }],
  [
    'USDT and NEAR in one',
    () => encoded([ft('5'), transfer(1001n)], usdt),
    'per_tx_cap_exceeded',
    session({ ...usdtOnly.session, max_spend_per_tx_native: '1000' }),
  ],
  [
    'a token transfer with a key twice',
    () =>
      encoded(
        [call('ft_transfer', text('{"receiver_id":"bob.near","amount":"1","amount":"900"}'), 1n)],
        usdt,
      ),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'a token transfer with an unknown argument',
    () => encoded([call('ft_transfer', { receiver_id: 'bob.near', amount: '900', x: 1 }, 1n)], usdt),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'a token transfer with a number for a text',
    () => encoded([call('ft_transfer', { receiver_id: 'bob.near', amount: 900 }, 1n)], usdt),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'a token transfer with an escape',
    () => encoded([call('ft_transfer', text('{"receiver_id":"\\u0062ob.near","amount":"900"}'), 1n)], usdt),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'a token transfer without its yocto',
    () => encoded([call('ft_transfer', { receiver_id: 'bob.near', amount: '900' })], usdt),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'a token transfer with a large deposit',
    () => encoded([call('ft_transfer', { receiver_id: 'bob.near', amount: '1' }, 1001n)], usdt),
    'payload_undecodable',
    usdtContract,
  ],
  [
    'tokens with a message for whoever gets them',
    () => encoded([call('ft_transfer_call', { receiver_id: 'dex.near', amount: '5', msg: '{}' }, 1n)], usdt),
    'contract_call_not_allowed',
    usdtOnly,
  ],
  [
    'tokens with a message for an allowed contract',
    () => encoded([call('ft_transfer_call', { receiver_id: 'dex.near', amount: '5', msg: '{}' }, 1n)], usdt),
    'allowed',
    session({ ...usdtOnly.session, allowed_contracts: [{ chain: 'near', address: 'dex.near' }] }),
    usdtCost(5n),
  ],
  [
    'tokens with a message over the cap',
    () =>
      encoded([call('ft_transfer_call', { receiver_id: 'dex.near', amount: '501', msg: '{}' }, 1n)], usdt),
    'token_cap_exceeded',
    session({ ...usdtOnly.session, allowed_contracts: [{ chain: 'near', address: 'dex.near' }] }),
  ],
  [
    'an item of a collection',
    () => encoded([call('nft_transfer', { receiver_id: 'bob.near', token_id: '7' }, 1n)], usdt),
    'contract_call_not_allowed',
    usdtContract,
  ],
  [
    'an item of a collection with a message for an allowed contract',
    () => encoded([call('nft_transfer_call', { receiver_id: 'dex.near', token_id: '7', msg: '' }, 1n)], usdt),
    'contract_call_not_allowed',
    session({ ...usdtOnly.session, allowed_contracts: [{ chain: 'near', address: 'dex.near' }] }),
  ],
  [
    'a right on an item',
    () => encoded([call('nft_approve', { account_id: 'bob.near', token_id: '7' }, 1n)], usdt),
    'approval_not_allowed',
    usdtContract,
  ],
  [
    'tokens of the multi-token standard',
    () =>
      encoded([call('mt_transfer', { receiver_id: 'bob.near', token_id: 'x', amount: '7' }, 1n)], 'dex.near'),
    'payload_undecodable',
    dex(),
  ],
  [
    'a withdrawal by a multi-token contract',
    () =>
      encoded([call('ft_withdraw', { token: usdt, receiver_id: 'eve.near', amount: '7' }, 1n)], 'dex.near'),
    'payload_undecodable',
    dex(),
  ],
  ['an unknown call', () => encoded([call('ping', {})], 'dex.near'), 'contract_call_not_allowed'],
  [
    'an unknown call of an allowed contract',
    () => encoded([call('ping', {})], 'dex.near'),
    'allowed',
    dex(),
    { transactions: 1n },
  ],
  [
    'an unknown call with a deposit',
    () => encoded([call('ping', {}, 1000n)], 'dex.near'),
    'allowed',
    dex({ max_spend_per_tx_native: '1000' }),
    cost(1000n),
  ],
  [
    'an unknown call with a larger deposit',
    () => encoded([call('ping', {}, 1001n)], 'dex.near'),
    'per_tx_cap_exceeded',
    dex({ max_spend_per_tx_native: '1000' }),
  ],
  [
    'an unknown call of an allowed contract beside a recipient list',
    () => encoded([call('ping', {}, 5n)], 'dex.near'),
    'recipient_not_allowed',
    dex({ allowed_recipients: ['bob.near'] }),
  ],
  [
    'a call of the wallet’s own account',
    () => encoded([call('ping', {})], own),
    'account_admin_not_allowed',
    session({ allowed_contracts: [{ chain: 'near', address: own }] }),
  ],
  [
    'a call that changes an owner',
    () => encoded([call('set_owner', { owner: 'eve.near' })], 'dex.near'),
    'account_admin_not_allowed',
    dex(),
  ],
  [
    'a call that changes code',
    () => encoded([call('upgrade', {})], 'dex.near'),
    'account_admin_not_allowed',
    dex(),
  ],
  [
    'a key with full access',
    () => encoded([addKey(thiefKey, fullAccessKey())], own),
    'account_admin_not_allowed',
  ],
  [
    'a key for one contract',
    () => encoded([addKey(thiefKey, functionCallAccessKey('dex.near', ['ping'], 5n))], own),
    'account_admin_not_allowed',
    dex(),
  ],
  [
    'a key behind an allowed transfer',
    () => encoded([transfer(5n), addKey(thiefKey, fullAccessKey())], 'bob.near'),
    'account_admin_not_allowed',
    toBob,
  ],
  ['a removed key', () => encoded([create.deleteKey(publicKey)], own), 'account_admin_not_allowed'],
  [
    'the end of the account',
    () => encoded([create.deleteAccount('bob.near')], own),
    'account_admin_not_allowed',
    toBob,
  ],
  ['new code', () => encoded([create.deployContract(Uint8Array.of(1, 2))], own), 'account_admin_not_allowed'],
  [
    'new code for all',
    () =>
      encoded(
        [create.deployGlobalContract(Uint8Array.of(1), new GlobalContractDeployMode({ CodeHash: null }))],
        own,
      ),
    'account_admin_not_allowed',
  ],
  [
    'the code of another',
    () => encoded([create.useGlobalContract(new GlobalContractIdentifier({ AccountId: 'eve.near' }))], own),
    'account_admin_not_allowed',
  ],
  ['a stake', () => encoded([create.stake(1n, publicKey)], own), 'account_admin_not_allowed'],
  ['a new account', () => encoded([create.createAccount()], `sub.bob.near`), 'contract_call_not_allowed'],
  [
    'relayed actions of another',
    () =>
      encoded(
        [
          create.signedDelegate(
            new SignedDelegate({
              delegateAction: delegated([transfer(5n)], 'bob.near', 'eve.near') as never,
              signature: anySignature,
            }),
          ),
        ],
        'eve.near',
      ),
    'account_admin_not_allowed',
  ],
  ['a delegate action', () => delegate([transfer(1000n)]), 'allowed', capped, cost(1000n)],
  ['a delegate action over the cap', () => delegate([transfer(1001n)]), 'per_tx_cap_exceeded', capped],
  [
    'a delegate action that adds a key',
    () => delegate([addKey(thiefKey, fullAccessKey())], own),
    'account_admin_not_allowed',
  ],
  [
    'another key',
    () =>
      encodeTransaction(
        createTransaction('bob.near', thiefKey, 'eve.near', 7n, [transfer(1n)], new Uint8Array(32)),
      ),
    'invalid',
  ],
  [
    'an implicit account that is not the key’s',
    () => encoded([transfer(1n)], 'bob.near', 'ab'.repeat(32)),
    'invalid',
  ],
  ['trailing bytes', () => Uint8Array.of(...encoded([transfer(1n)]), 0), 'invalid'],
]

const testRows: readonly TransactionRow[] = [
  [
    'the test network while the main one is blocked',
    () => encoded([transfer(1n)]),
    'chain_blocked',
    { organization: { blocked_chains: ['near'] } },
  ],
  [
    'a token that is listed for the main network',
    () => encoded([ft('5')], usdt),
    'allowed',
    usdtOnly,
    usdtCost(5n),
  ],
]

/** Near: keys, code, stakes, deposits, tokens by their standards, delegate actions. */
export const nearCases: readonly CorpusCase[] = [
  ...transactionCases('near', rows),
  ...transactionCases('near-testnet', testRows),
]
