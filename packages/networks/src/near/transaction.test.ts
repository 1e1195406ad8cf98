import { KeyPairEd25519, KeyType, PublicKey } from '@near-js/crypto'
import {
  type Action,
  actionCreators,
  createTransaction,
  encodeDelegateAction,
  encodeSignedDelegate,
  encodeTransaction,
  GlobalContractDeployMode,
  GlobalContractIdentifier,
  Signature,
  SignedDelegate,
  SignedTransaction,
} from '@near-js/transactions'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64 } from '@scure/base'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { assertNoTransaction, decodeIntentEffects, preview, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomNearDelegate, randomNearTransaction } from '../testing/random-near-transaction.fuzz.ts'
import { vectorJson } from '../testing/vectors.ts'
import { nearRounds } from './near-rounds.fuzz.ts'

const key = testKey('ed25519', 1)
const own = toHex(key.publicKey)
const publicKey = new PublicKey({ keyType: KeyType.ED25519, data: key.publicKey })
const keyPair = new KeyPairEd25519(base58.encode(Uint8Array.of(...key.privateKey, ...key.publicKey)))
const intentOf = (bytes: Uint8Array) =>
  ({ kind: 'transaction', network: 'near', chain: 'near', bytes }) as const
const shown = (bytes: Uint8Array) => preview(intentOf(bytes), 'ed25519', key.publicKey)

const effects = (bytes: Uint8Array) =>
  decodeIntentEffects(intentOf(bytes), 'ed25519', key.publicKey, own).actions

function encoded(actions: Action[], receiver = 'bob.near', signer = own): Uint8Array {
  return encodeTransaction(
    createTransaction(signer, publicKey, receiver, 7n, actions, new Uint8Array(32).fill(9)),
  )
}

const { functionCallAccessKey, fullAccessKey, ...create } = actionCreators
const near = 10n ** 24n

describe('near transactions beside near-js', () => {
  test('transactions have its digest, signed bytes and hash, and decode', () => {
    fc.assert(
      fc.property(randomNearTransaction(key.publicKey, [own, 'alice.near']), (transaction) => {
        const bytes = encodeTransaction(transaction)
        const digest = sha256(bytes)
        const answer = signIntent(intentOf(bytes), key)
        const { signature } = keyPair.sign(digest)
        expect(answer.signature).toBe(`0x${toHex(signature)}`)
        expect(answer.transaction_hash).toBe(base58.encode(digest))
        const official = new SignedTransaction({
          transaction,
          signature: new Signature({ keyType: KeyType.ED25519, data: signature }),
        })
        expect(answer.signed_transaction).toBe(base64.encode(official.encode()))
        expect(shown(bytes).from).toBe(transaction.signerId)
        expect(() => assertNoTransaction(bytes)).toThrow(NetworkError)
      }),
      { numRuns: propertyRuns(250), seed: 4 },
    )
  })

  test('delegate actions have its digest and its signed form, and no hash', () => {
    fc.assert(
      fc.property(randomNearDelegate(key.publicKey, [own, 'alice.near']), (delegateAction) => {
        const bytes = encodeDelegateAction(delegateAction)
        const answer = signIntent(intentOf(bytes), key)
        const { signature } = keyPair.sign(sha256(bytes))
        const data = { keyType: KeyType.ED25519, data: signature }
        const official = new SignedDelegate({ delegateAction, signature: new Signature(data) })
        expect(answer.signed_transaction).toBe(base64.encode(encodeSignedDelegate(official)))
        expect(answer).not.toHaveProperty('transaction_hash')
        expect(shown(bytes)).toMatchObject({ from: delegateAction.senderId, fee: { amount: '0' } })
        expect(shown(bytes).warnings.at(-1)).toContain(`until block ${delegateAction.maxBlockHeight}`)
        expect(() => assertNoTransaction(bytes)).toThrow(NetworkError)
      }),
      { numRuns: propertyRuns(100), seed: 5 },
    )
  })

  test('the transaction of the vectors is read with its own key', () => {
    type Vectors = { files: Record<string, { data: string }> }
    const data = vectorJson<Vectors>('chains/near_transactions.json')?.files['signed_transaction1']?.data
    if (data === undefined) return
    const signed = messageBytes(`0x${data}`, 'hex')
    const bytes = signed.subarray(0, -65)
    const signer = signed.subarray(14, 46)
    const decoded = preview(intentOf(bytes), 'ed25519', signer)
    expect(decoded).toMatchObject({
      from: 'test.near',
      title: 'Send 0.000000000000000000000001 NEAR',
      actions: [{ kind: 'transfer', to: 'whatever.near', amount: '1' }],
    })
    expect(
      new PublicKey({ keyType: KeyType.ED25519, data: signer }).verify(
        signingDigest(intentOf(bytes), 'ed25519', signer),
        signed.subarray(-64),
      ),
    ).toBe(true)
  })
})

describe('near effects', () => {
  test('a transfer is its deposit, with the fee it can cost', () => {
    expect(shown(encoded([create.transfer((3n * near) / 2n)]))).toEqual({
      title: 'Send 1.5 NEAR',
      chain: 'near',
      from: own,
      actions: [
        {
          kind: 'transfer',
          to: 'bob.near',
          asset: 'NEAR',
          amount: String((3n * near) / 2n),
          amount_display: '1.5 NEAR',
          method: null,
          args: null,
        },
      ],
      fee: { asset: 'NEAR', amount: '450000000000000000000' },
      warnings: [],
      expires_at: null,
    })
  })

  test('a transfer that may create its receiver costs the account too, each time', () => {
    const feeTo = (receiver: string, count = 1) =>
      shown(
        encoded(
          Array.from({ length: count }, () => create.transfer(near)),
          receiver,
        ),
      ).fee?.amount
    for (const receiver of ['ab'.repeat(32), `0x${'ab'.repeat(20)}`, `0s${'ab'.repeat(20)}`]) {
      expect(feeTo(receiver)).toBe(String(8_360n * 10n ** 18n))
      expect(feeTo(receiver, 2)).toBe(String(2n * 8_360n * 10n ** 18n))
    }
    expect(feeTo(`0x${'ab'.repeat(20)}.near`)).toBe(String(450n * 10n ** 18n))
  })

  test('a fee above a tenth of what is sent is a warning', () => {
    const call = create.functionCall('go', {}, 300n * 10n ** 12n, near / 10n)
    expect(shown(encoded([call])).warnings).toEqual([
      'The effects of go on bob.near are unknown.',
      'The fee can reach 0.3 NEAR, above 10% of what is sent.',
    ])
  })

  test('the fee is at least what bytes and receipts cost, whatever gas a call attaches', () => {
    const call = create.functionCall('go', {}, 1n, 0n)
    expect(BigInt(shown(encoded([call])).fee?.amount ?? 0)).toBeGreaterThan(2n * 10n ** 20n)
  })

  const to = 'carol.near'
  const call = (method: string, args: object | Uint8Array, deposit = 1n) =>
    create.functionCall(method, args, 30n * 10n ** 12n, deposit)

  test.each([
    ['ft_transfer', { receiver_id: to, amount: '2500000', memo: null }, 'transfer', '2500000', '2.5 USDt'],
    ['ft_transfer_call', { receiver_id: to, amount: '1', msg: '{"x":1}' }, 'transfer', '1', '0.000001 USDt'],
    ['nft_transfer', { receiver_id: to, token_id: 'art-1', approval_id: 3 }, 'transfer', '1', null],
    ['nft_transfer_call', { receiver_id: to, token_id: '1', msg: '' }, 'transfer', '1', null],
    ['nft_approve', { account_id: to, token_id: '1', msg: 'sell' }, 'approval', '1', null],
  ])('%s is a token effect of its contract', (method, args, kind, amount, display) => {
    const token = kind === 'transfer' && method.startsWith('ft') ? 'usdt.tether-token.near' : 'art.near'
    const { actions, warnings } = shown(encoded([call(method, args)], token))
    expect(actions).toMatchObject([{ kind, asset: token, amount, amount_display: display, to, method }])
    expect(warnings).toEqual([])
  })

  const utf8 = (text: string) => new TextEncoder().encode(text)
  test.each([
    ['a key that stands twice', utf8(`{"receiver_id":"${to}","receiver_id":"mallory.near","amount":"1"}`)],
    ['a number for an amount', utf8(`{"receiver_id":"${to}","amount":1}`)],
    ['an amount of another spelling', utf8(`{"receiver_id":"${to}","amount":"0x1"}`)],
    ['an amount above 128 bits', utf8(`{"receiver_id":"${to}","amount":"${2n ** 128n}"}`)],
    ['another key', utf8(`{"receiver_id":"${to}","amount":"1","owner_id":"x.near"}`)],
    ['a receiver that is not an account', utf8('{"receiver_id":"Carol.near","amount":"1"}')],
    ['an escape that hides a key', utf8(`{"receiver_\\u0069d":"${to}","amount":"1"}`)],
    ['no receiver', utf8('{"amount":"1"}')],
    ['a list', utf8('["carol.near","1"]')],
    ['bytes that are not text', Uint8Array.of(0xff)],
  ])('a token call with %s is a call of unknown effects', (_, args) => {
    const { actions, warnings } = shown(encoded([call('ft_transfer', args)], 'wrap.near'))
    expect(actions).toMatchObject([
      { kind: 'transfer', asset: 'NEAR', amount: '1', to: 'wrap.near' },
      { kind: 'unknown', asset: null, to: 'wrap.near', method: 'ft_transfer' },
    ])
    expect(warnings).toContain('The effects of ft_transfer on wrap.near are unknown.')
  })

  test('white space between the parts of the arguments changes nothing', () => {
    const args = utf8(`{ "receiver_id" : "${to}",\n "amount":\t"1", "memo":"a  \\"b\\" " }`)
    expect(shown(encoded([call('ft_transfer', args)], 'wrap.near')).actions).toMatchObject([
      { kind: 'transfer', asset: 'wrap.near', amount: '1', to, args: { memo: 'a  "b" ' } },
    ])
  })

  test('a token call without its one yoctoNEAR is a call of unknown effects', () => {
    for (const deposit of [0n, 2n]) {
      const bytes = encoded([call('ft_transfer', { receiver_id: to, amount: '1' }, deposit)], 'wrap.near')
      expect(shown(bytes).actions.at(-1)).toMatchObject({ kind: 'unknown', asset: null })
    }
  })

  const hash = new Uint8Array(32).fill(1)
  test.each([
    ['addKey', create.addKey(publicKey, fullAccessKey()), 'Account takeover: '],
    ['addKey', create.addKey(publicKey, functionCallAccessKey('dex.near', ['swap'], near)), 'spend 1 NEAR'],
    ['addKey', create.addKey(publicKey, functionCallAccessKey('dex.near', [])), 'spend any amount'],
    ['deleteKey', create.deleteKey(publicKey), 'no longer control'],
    ['deleteAccount', create.deleteAccount('mallory.near'), 'goes to mallory.near'],
    ['deployContract', create.deployContract(hash), 'Account takeover: '],
    [
      'useGlobalContract',
      create.useGlobalContract(new GlobalContractIdentifier({ CodeHash: hash })),
      'Account takeover: ',
    ],
    [
      'deployGlobalContract',
      create.deployGlobalContract(hash, new GlobalContractDeployMode({ CodeHash: null })),
      'burnt',
    ],
  ])('%s is administrative and warned of', (method, action, warning) => {
    const decoded = shown(encoded([create.transfer(near), action], own))
    expect(decoded.actions[1]).toMatchObject({ kind: 'admin', method })
    expect(decoded.warnings.join()).toContain(warning)
    expect(decoded.title).toMatch(/ and 1 more$/)
    expect(decoded.title).not.toMatch(/^Send/)
  })

  test('an access key with an allowance says the contract, methods and allowance', () => {
    const action = create.addKey(publicKey, functionCallAccessKey('dex.near', ['swap', 'exit'], near))
    expect(shown(encoded([action], own)).actions[0]?.args).toEqual({
      public_key: publicKey.toString(),
      contract: 'dex.near',
      allowance: '1 NEAR',
      methods: 'swap, exit',
    })
  })

  test('effects of a delegate action that a relayer sends are those of its signer', () => {
    const theirs = testKey('ed25519', 2).publicKey
    const [delegateAction] = fc.sample(randomNearDelegate(theirs, ['dave.near']), { numRuns: 1, seed: 1 })
    if (delegateAction === undefined) throw new Error('There is a sample.')
    delegateAction.actions = [create.transfer(near)]
    const signature = new Signature({ keyType: KeyType.ED25519, data: new Uint8Array(64) })
    const bytes = encoded([create.signedDelegate({ delegateAction, signature })], 'dave.near')
    expect(effects(bytes)).toMatchObject([
      { kind: 'call', method: 'delegate', from: own, to: 'dave.near' },
      { kind: 'transfer', asset: 'NEAR', amount: near, from: 'dave.near', to: delegateAction.receiverId },
    ])
  })

  test('the effects of a named account are its own, and the preview says so', () => {
    const bytes = encoded([create.transfer(near)], 'bob.near', 'alice.near')
    expect(effects(bytes)).toMatchObject([{ from: 'alice.near' }])
    expect(shown(bytes).from).toBe('alice.near')
    expect(signIntent(intentOf(bytes), key).address).toBe(own)
  })
})

test('mutated transactions are refused with NetworkError or read as near-js does', () => {
  nearRounds(propertyRuns(2000))
})

describe('near refuses', () => {
  const refuse = (bytes: Uint8Array) =>
    expect(() => shown(bytes)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  const bytes = encoded([create.transfer(near)])

  test('the key or the account of another', () => {
    const other = testKey('ed25519', 2).publicKey
    expect(() => preview(intentOf(bytes), 'ed25519', other)).toThrow(NetworkError)
    refuse(encoded([create.transfer(near)], 'bob.near', toHex(other)))
    refuse(encoded([create.transfer(near)], 'bob.near', '0x32be343b94f860124dc4fee278fdcbd38c102d88'))
  })

  test('trailing bytes, a signature, a cut, another version', () => {
    refuse(Uint8Array.of(...bytes, 0))
    refuse(Uint8Array.of(...bytes, ...new Uint8Array(65)))
    refuse(bytes.subarray(0, -1))
    refuse(Uint8Array.of(1, ...bytes))
    refuse(new Uint8Array(0))
  })

  test('an unknown action, more than 100 actions, an invalid account id', () => {
    const unknown = Uint8Array.from(encoded([create.createAccount()]))
    unknown[unknown.length - 1] = 11
    refuse(unknown)
    refuse(encoded(Array.from({ length: 101 }, () => create.createAccount())))
    shown(encoded(Array.from({ length: 100 }, () => create.createAccount())))
    for (const id of ['Bob.near', 'bob..near', '-bob', 'b', 'b'.repeat(65), '']) {
      refuse(encoded([create.transfer(1n)], id))
    }
  })

  test('a delegate action within another', () => {
    const [delegateAction] = fc.sample(randomNearDelegate(key.publicKey, [own]), { numRuns: 1, seed: 1 })
    if (delegateAction === undefined) throw new Error('There is a sample.')
    delegateAction.actions = [create.createAccount()]
    const outer = encodeDelegateAction(delegateAction)
    const signature = new Signature({ keyType: KeyType.ED25519, data: new Uint8Array(64) })
    const inner = encodeSignedDelegate(new SignedDelegate({ delegateAction, signature }))
    // Prefix, sender, receiver and the number of actions stand before the kind of the first.
    const kind = 4 + 4 + own.length + 4 + delegateAction.receiverId.length + 4
    expect(outer[kind]).toBe(0)
    shown(outer)
    refuse(Uint8Array.of(...outer.subarray(0, kind), 8, ...inner, ...outer.subarray(kind + 1)))
  })
})
